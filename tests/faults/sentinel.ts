/** A Redis master with a replica and a sentinel, and one address that follows the master, as a proxy beside the sentinels does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@store/testbed/until';
import { createClient } from 'redis';
import { endChild } from '../../tools/local/end-child.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { startClients } from '../kit/load.ts';
import { openTcpProxy } from '../kit/tcp-proxy.ts';

export interface SentinelSet {
  /** Of the master. */
  url: string;
  /** Kills the master; the sentinel then promotes the replica by itself. */
  killMaster(): void;
  close(): Promise<void>;
}

const name = 'store';
const readyWithinMs = 60_000;
const followEveryMs = 50;
/** Without an answer for this long the master counts as down. */
const downAfterMs = 1_000;

export async function startSentinelSet(): Promise<SentinelSet> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-sentinel-'));
  const running: ChildProcess[] = [];
  const [master, replica, sentinel] = [await freePort(0), await freePort(0), await freePort(0)];
  const proxy = await openTcpProxy();
  let following: { stop(): Promise<void> } | undefined;
  const close = async () => {
    await following?.stop();
    for (const child of running) await endChild(child, 'SIGKILL');
    await proxy.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const launch = (...args: string[]) => {
    const child = spawn('redis-server', args, { cwd: dir, stdio: 'ignore' });
    running.push(child);
    return child;
  };
  const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  try {
    const leader = launch('--port', String(master), ...plain);
    launch('--port', String(replica), '--replicaof', `127.0.0.1 ${master}`, ...plain);
    const isSynchronous = async () => (await answer(replica, ['INFO', 'replication'])).includes('master_link_status:up');
    await until(isSynchronous, readyWithinMs);
    const file = path.join(dir, 'sentinel.conf');
    const settings = [
      ...[`port ${sentinel}`, 'bind 127.0.0.1', `sentinel monitor ${name} 127.0.0.1 ${master} 1`],
      ...[`sentinel down-after-milliseconds ${name} ${downAfterMs}`, `sentinel failover-timeout ${name} 10000`],
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    launch(file, '--sentinel');
    // A sentinel learns of the replicas from the master; one that knows none could promote none.
    await until(async () => (await answer(sentinel, ['SENTINEL', 'REPLICAS', name])).includes(String(replica)), readyWithinMs);
    let current = master;
    proxy.forwardTo(master);
    following = startClients(1, followEveryMs, async () => {
      const port = Number((await answer(sentinel, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])).split(',')[1]);
      if (!port || port === current) return;
      current = port;
      proxy.drop();
      proxy.forwardTo(port);
      proxy.heal();
    });
    return { url: `redis://127.0.0.1:${proxy.port}`, killMaster: () => void leader.kill('SIGKILL'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The answer as text; empty when the server does not answer. */
async function answer(port: number, command: string[]): Promise<string> {
  const client = createClient({ RESP: 2, url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: false, connectTimeout: 2_000 } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return String(await client.sendCommand(command));
  } catch {
    return '';
  } finally {
    if (client.isOpen) client.destroy();
  }
}
