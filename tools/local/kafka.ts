/** One Kafka broker for this machine, from Maven's jars: for tests and for `npm run start:services`. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endChild } from './end-child.ts';
import { freePort } from './free-port.ts';
import { tail } from './last-error.ts';
import { portIsOpen } from './port-is-open.ts';
import type { RunningServer } from './postgres.ts';
import { commandOf, isAlive } from './postgres-leftover.ts';

/** Three seconds on an idle machine; one that ended is noticed at once. */
const startMaxMs = 180_000;
const pollMs = 50;

const kafkaVersion = '4.1.0';

/** Jars are kept outside the repository, so that a new clone does not download them again. */
const jarDir = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'store-developer-api', `kafka-${kafkaVersion}`);

let java: string | undefined;

/** What `java -version` says; empty: there is none. */
function javaVersion(): string {
  if (java === undefined) {
    const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
    java = status === 0 ? stderr : '';
  }
  return java;
}

const hashChars = 12;
/** Where its classes are kept: one file per version of Java and Kafka, beside the jars. */
export const keptFile = () => `${jarDir}-${createHash('sha256').update(javaVersion()).digest('hex').slice(0, hashChars)}.jsa`;

/** Flags of the JVM. It takes a file that does not fit, such as one of other jars, as if there were none. */
function keptClasses(): string[] {
  const file = keptFile();
  return existsSync(file) ? [`-XX:SharedArchiveFile=${file}`] : [];
}

export interface KafkaPorts {
  /** Port on which it listens, if it is free. */
  port?: number;
  /** The advertised port, if different: that of a proxy. */
  advertised?: number;
}

/** Starts a broker on `dir` (its data, log and settings), or says why that is impossible. */
export async function startKafka(
  dir: string,
  log: (line: string) => void,
  { port, advertised }: KafkaPorts = {},
): Promise<RunningServer | { skipped: string }> {
  const missing = kafkaMissing(log);
  if (missing) return { skipped: missing };
  const broker = await freePort(port ?? 9_092);
  const controller = await freePort(broker + 1);
  const child = await launch(dir, plainSettings({ broker, controller, advertised }));
  await untilListening(child, broker, dir);
  return { url: `127.0.0.1:${broker}`, pid: child.pid!, stop: () => endChild(child) };
}

const pidFile = 'kafka.pid';

/** A directory for this run's broker; those of runs that were killed are removed, and their brokers ended. */
export function sweptKafkaDir(cache: string): string {
  mkdirSync(cache, { recursive: true });
  for (const entry of readdirSync(cache)) {
    const owner = Number(/^kafka-(\d+)$/.exec(entry)?.[1]);
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const file = path.join(cache, entry, pidFile);
    const broker = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
    // The pid may belong to another program by now: only a broker of this directory is ended.
    if (isAlive(broker) && commandOf(broker).includes(path.join(cache, entry))) process.kill(broker, 'SIGKILL');
    rmSync(path.join(cache, entry), { recursive: true, force: true });
  }
  return path.join(cache, `kafka-${process.pid}`);
}

const classPath = () => path.join(jarDir, '*');
const jvmFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Why Kafka cannot be started here; undefined when it can. */
export function kafkaMissing(log: (line: string) => void): string | undefined {
  if (javaVersion() === '') return 'Kafka needs Java 17 or newer on PATH';
  return fetchJars(log);
}

function fetchJars(log: (line: string) => void): string | undefined {
  if (existsSync(jarDir) && readdirSync(jarDir).length > 0) return undefined;
  if (spawnSync('mvn', ['-version']).status !== 0) return 'Kafka needs Maven on PATH to fetch its jars';
  log(`Fetching Kafka ${kafkaVersion}`);
  const pom = fileURLToPath(new URL('./kafka/pom.xml', import.meta.url));
  const unfinished = `${jarDir}.${process.pid}`;
  const result = spawnSync('mvn', ['-q', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`], {
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    return `Kafka's jars could not be fetched: ${(result.stdout || result.stderr).split('\n')[0]}`;
  }
  if (existsSync(jarDir)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, jarDir);
  return undefined;
}

export type BrokerSettings = Record<string, string | number | boolean>;

/** One broker that is its own controller. */
const sharedSettings: BrokerSettings = {
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.listener.names': 'CONTROLLER',
  'auto.create.topics.enable': false,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 6,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
};

interface Ports {
  broker: number;
  controller: number;
  /** `broker` when absent. */
  advertised?: number | undefined;
}

/** Listeners without TLS or login. */
export const plainSettings = ({ broker, controller, advertised = broker }: Ports): BrokerSettings => ({
  'controller.quorum.voters': `1@127.0.0.1:${controller}`,
  listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised}`,
  'num.partitions': 6,
});

/** Kafka writes a cluster's id as 16 bytes in base64; Kafka's own tool would take a second to create one. */
export function newClusterId(): string {
  return randomBytes(16).fill('s', 0, 1).toString('base64url');
}

interface DataDirOptions {
  clusterId?: string;
  /** Further options of the tool that makes the data directory. */
  options?: string[];
}

/** Writes the settings of a broker into `dir`, and makes its data directory where there is none; returns the file of the settings. */
export async function prepare(
  dir: string,
  settings: BrokerSettings,
  { clusterId = newClusterId(), options = [] }: DataDirOptions = {},
): Promise<string> {
  const file = path.join(dir, 'server.properties');
  const data = path.join(dir, 'data');
  mkdirSync(dir, { recursive: true });
  const lines = Object.entries({ ...sharedSettings, 'log.dirs': data, ...settings }).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  if (existsSync(path.join(data, 'meta.properties'))) return file;
  const flags = [...jvmFlags, ...keptClasses(), '-cp', classPath(), 'kafka.tools.StorageTool'];
  try {
    await promisify(execFile)('java', [...flags, 'format', '-t', clusterId, '-c', file, ...options]);
  } catch (error) {
    throw new Error(`Kafka's data directory could not be formatted: ${(error as { stderr?: string }).stderr}`, { cause: error });
  }
  return file;
}

/** Arguments of `java` that start a broker. */
export const brokerArgs = (settings: string): string[] => [
  '-Xmx256m',
  '-Xms256m',
  ...jvmFlags,
  '-cp',
  classPath(),
  'kafka.Kafka',
  settings,
];

/** In a separate process group: Ctrl-C in the terminal reaches the caller first, which stops the broker last. Killed with this process. */
export async function launch(dir: string, settings: BrokerSettings, dataDir?: DataDirOptions): Promise<ChildProcess> {
  const file = await prepare(dir, settings, dataDir);
  const output = openSync(path.join(dir, 'kafka.log'), 'a');
  const child = spawn('java', [...keptClasses(), ...brokerArgs(file)], { stdio: ['ignore', output, output], detached: true });
  writeFileSync(path.join(dir, pidFile), String(child.pid));
  const endOnExit = () => child.kill('SIGKILL');
  process.once('exit', endOnExit);
  child.once('exit', () => process.removeListener('exit', endOnExit));
  return child;
}

const shownLines = 20;

/** The folder of a test's broker goes with it. */
const lastLines = (file: string): string => tail(file).trimEnd().split('\n').slice(-shownLines).join('\n');

export async function untilListening(child: ChildProcess, port: number, dir: string): Promise<void> {
  const giveUpAt = Date.now() + startMaxMs;
  while (!(await portIsOpen(`127.0.0.1:${port}`))) {
    if (child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`Kafka did not start:\n${lastLines(path.join(dir, 'kafka.log'))}`);
    await wait(pollMs);
  }
}
