import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { describeWithRedis, logNothing as log } from '@store/testbed';
import { until } from '@store/testbed/until';
import { createClient } from 'redis';
import { openClusterKeyGate } from './cluster-key-gate.ts';
import {
  freePort,
  generousTimeoutMs,
  localGate,
  type OpenBench,
  type RunningRedis,
  redisOptions,
  startRedis,
} from './key-gates.testing.ts';
import { slots } from './key-slot.ts';

export interface RunningCluster {
  url: string;
  /** The masters in the order of their slots, which are equal parts; after them the replica of the first, if there is one. */
  nodes: Node[];
  /** Moves a slot with its keys to another master, as redis-cli does; `between`: while the slot moves and its keys have not. */
  moveSlot(slot: number, from: Node, to: Node, between: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface Node {
  port: number;
  kill(): Promise<void>;
  /** On the same port, with its slots, its keys lost. */
  restart(): Promise<void>;
}

interface ClusterOptions {
  masters: number;
  replica?: boolean;
  /** A master without an answer for this long counts as down. */
  nodeTimeoutMs?: number;
}

/** `describe` for suites on a cluster: skipped where this redis-server cannot be one. */
export function describeWithCluster(title: string, suite: () => void): void {
  // A server refuses its first unknown setting, so one that refuses the second knows the first.
  const { stdout, stderr } = spawnSync('redis-server', ['--cluster-port', '1', '--no-such-setting', '1'], { encoding: 'utf8' });
  if (!`${stdout}${stderr}`.includes('cluster-port')) describeWithRedis(title, suite);
  else describe.skip(`${title} (skipped: this redis-server has no cluster-port)`, suite);
}

export async function startCluster({ masters, replica = false, nodeTimeoutMs = 15_000 }: ClusterOptions): Promise<RunningCluster> {
  const dir = await mkdtemp(path.join(tmpdir(), 'store-cluster-'));
  const nodes: Node[] = [];
  const close = async () => {
    for (const node of nodes) await node.kill();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    for (let n = 0; n < masters + (replica ? 1 : 0); n += 1) nodes.push(await startNode(dir, nodeTimeoutMs));
    await join(nodes, masters);
    return { url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, moveSlot, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startNode(dir: string, nodeTimeoutMs: number): Promise<Node> {
  const port = await keptPort();
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': await keptPort(),
    'cluster-config-file': `${port}.conf`,
    'cluster-node-timeout': nodeTimeoutMs,
    'cluster-announce-ip': '127.0.0.1',
    dir,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = () => startRedis(port, ...flags);
  let running: RunningRedis = await start();
  return {
    port,
    kill: () => running.stop(),
    restart: async () => {
      running = await start();
    },
  };
}

/** Below the ephemeral ports: the system gives it to no other process while its server is down. */
async function keptPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + randomInt(20_000);
    if ((await freePort(port)) === port) return port;
  }
}

async function join(nodes: Node[], masters: number): Promise<void> {
  const [first] = nodes as [Node];
  for (const [n, { port }] of nodes.slice(0, masters).entries()) {
    const start = (at: number) => Math.floor((at * slots) / masters);
    await ask(port, ['CLUSTER', 'ADDSLOTSRANGE', String(start(n)), String(start(n + 1) - 1)]);
    // Each has a number of its own from the start, and none waits to find out that it has another's.
    await ask(port, ['CLUSTER', 'SET-CONFIG-EPOCH', String(n + 1)]);
  }
  const busPort = async (port: number) => String((await ask(port, ['CONFIG', 'GET', 'cluster-port'])).split(',')[1]);
  for (const { port } of nodes.slice(1)) {
    await ask(first.port, ['CLUSTER', 'MEET', '127.0.0.1', String(port), await busPort(port)]);
  }
  const stateOf = (port: number) => ask(port, ['CLUSTER', 'INFO']);
  const isWhole = async (port: number) => {
    const state = await stateOf(port);
    return state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${nodes.length}`);
  };
  const replicas = nodes.slice(masters);
  for (const { port } of nodes.slice(0, masters)) await until(() => isWhole(port));
  for (const { port } of replicas) {
    const id = await ask(first.port, ['CLUSTER', 'MYID']);
    // The replica must know its master.
    await until(async () => (await ask(port, ['CLUSTER', 'NODES'])).includes(id));
    await ask(port, ['CLUSTER', 'REPLICATE', id]);
    await until(async () => (await ask(port, ['INFO', 'replication'])).includes('master_link_status:up'));
    // The masters vote for it only if they know whose replica it is.
    for (const master of nodes.slice(0, masters)) {
      await until(async () => (await ask(master.port, ['CLUSTER', 'REPLICAS', id])).includes(`:${port}@`));
    }
  }
}

async function moveSlot(slot: number, from: Node, to: Node, between: () => Promise<void>): Promise<void> {
  const set = async (node: Node, ...how: string[]) => ask(node.port, ['CLUSTER', 'SETSLOT', String(slot), ...how]);
  const [source, target] = await Promise.all([from, to].map(({ port }) => ask(port, ['CLUSTER', 'MYID'])));
  await set(to, 'IMPORTING', source!);
  await set(from, 'MIGRATING', target!);
  await between();
  const keys = async () =>
    (await ask(from.port, ['CLUSTER', 'GETKEYSINSLOT', String(slot), '1000'])).split(',').filter((key) => key !== '');
  for (let left = await keys(); left.length > 0; left = await keys())
    await ask(from.port, ['MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...left]);
  for (const node of [to, from]) await set(node, 'NODE', target!);
}

async function ask(port: number, command: string[]): Promise<string> {
  const client = createClient({ RESP: 2, url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return String(await client.sendCommand(command));
  } finally {
    client.destroy();
  }
}

export function redisCluster(cluster: () => RunningCluster): OpenBench {
  return async (times) => {
    const options = redisOptions({ url: cluster().url, timeoutMs: generousTimeoutMs, ...(times && { times }) });
    const keyGates = await Promise.all([1, 2, 3, 4].map(() => openClusterKeyGate({ ...options, local: localGate(times), log })));
    const pass = (ms: number) => wait(ms + 1).then(() => undefined);
    return { keyGates, pass, stop: async () => void (await Promise.all(keyGates.map((keyGate) => keyGate.stop()))) };
  };
}
