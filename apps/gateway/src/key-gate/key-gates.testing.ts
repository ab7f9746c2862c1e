/** Every kind of key gate behind one test interface, on a separate Redis; for test suites only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { logNothing as log, SetClock } from '@store/testbed';
import type { KeyRecord } from '../keys/key-record.ts';
import { InProcessGate } from './in-process.ts';
import { type Admission, type KeyGate, type Timings, timings } from './key-gate.ts';
import { openRedisKeyGate, type RedisGateOptions } from './redis.ts';
import { KeyGateWithFallback } from './with-fallback.ts';

const clockStart = '2026-11-20T12:00:10Z';

export const localGate = (times?: Timings, clock = new SetClock(clockStart)) => new InProcessGate(clock, times);

/** A request as the pipeline makes it: from the remembered record, or read from the database and remembered. */
export async function request(keyGate: KeyGate, hash: string, record: KeyRecord): Promise<Admission> {
  const admission = await keyGate.admit(hash);
  return admission.revoked || admission.record ? admission : keyGate.remember(hash, record, admission.version);
}

/** Every verb of a key gate, with every branch of its scripts, each with rights of its own in Redis. */
export async function everyVerb(keyGate: KeyGate): Promise<void> {
  const hash = newHash();
  const { version } = await keyGate.admit(hash);
  await keyGate.remember(hash, keyRecord(60), version);
  await keyGate.complete(hash);
  expect(await keyGate.admit(hash)).toMatchObject({ record: keyRecord(60), completedLately: true, count: 2 });
  await keyGate.forget([hash]);
  expect((await keyGate.admit(hash)).record).toBeUndefined();
  await keyGate.revoke(hash);
  expect((await keyGate.admit(hash)).revoked).toBe(true);
  await keyGate.unrevoke(hash);
  const revoked = await keyGate.admit(hash);
  await keyGate.remember(hash, { ...keyRecord(60), revoked: true }, revoked.version);
  expect((await keyGate.admit(hash)).revoked).toBe(true);
}

/** Long enough that a busy machine is not taken for a hung Redis. */
export const generousTimeoutMs = 2_000;

export interface RunningRedis {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** The port that was wanted, or another one when that is taken. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  const isTaken = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(true)).listen(wanted, '127.0.0.1', () => resolve(false));
  });
  if (isTaken) return freePort();
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export async function startRedis(port: number, ...more: string[]): Promise<RunningRedis> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more];
  const process = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    process.once('error', reject);
    process.once('exit', () => reject(new Error('redis-server did not start')));
    process.stdout!.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
  });
  const stop = async () => {
    if (process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  };
  return { url: `redis://127.0.0.1:${port}`, process, stop };
}

let lastHash = 0;
/** A hash that no other test uses, in this run or an earlier one. */
export function newHash(): string {
  lastHash += 1;
  return `${process.pid.toString(16)}${Date.now().toString(16)}${lastHash.toString(16)}`.padStart(64, '0');
}

export function keyRecord(rateLimit: number): KeyRecord {
  return {
    keyId: 7,
    name: 'Web shop',
    scopes: ['products:read'],
    rateLimit,
    expiresAtMs: 0,
    testMode: false,
    revoked: false,
    createdBy: { id: 1, name: 'Maya Lee' },
    store: {
      storeId: 1,
      name: 'Lantern & Co',
      posSubscription: 'active',
      onboarding: 'done',
      features: ['developer_api'],
      timeZone: 'Europe/London',
      currency: '£',
      locale: 'en',
      tax: { mode: 'none', rate: '', name: '', gstRate: '', gstName: '', pstRate: '', pstName: '' },
    },
  };
}

export interface Bench {
  /** Gateway processes that share limits. */
  keyGates: KeyGate[];
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export type OpenBench = (times?: Timings) => Promise<Bench>;

export async function inProcess(times: Timings = timings): Promise<Bench> {
  const clock = new SetClock(clockStart);
  const keyGate = localGate(times, clock);
  return { keyGates: [keyGate, keyGate, keyGate, keyGate], pass: async (ms) => clock.advance(ms), stop: () => keyGate.stop() };
}

/** Redis's time cannot be set, so the test waits for it; the suite uses milliseconds there. */
const waitFor = async (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end) await wait(5);
};

/** Options of every gateway of a fleet, unless a test overrides them. */
export function redisOptions(options: Pick<RedisGateOptions, 'url'> & Partial<RedisGateOptions>): RedisGateOptions {
  return { log, clock: new SetClock(clockStart), pepper: Buffer.alloc(32, 1), ...options };
}

export function redis(url: string): OpenBench {
  return async (times = timings) => {
    const keyGates = await Promise.all(
      [1, 2, 3, 4].map(() => openRedisKeyGate(redisOptions({ url, timeoutMs: generousTimeoutMs, times }))),
    );
    return { keyGates, pass: waitFor, stop: async () => void (await Promise.all(keyGates.map((keyGate) => keyGate.stop()))) };
  };
}

export function redisWithFallback(url: string): OpenBench {
  return async (times = timings) => {
    const bench = await redis(url)(times);
    return { ...bench, keyGates: bench.keyGates.map((keyGate) => new KeyGateWithFallback({ keyGate, local: localGate(times), log })) };
  };
}
