/**
 * Cleans up after a killed run: a postmaster that still serves the data directory, or only its pid
 * file. Either would stop the next start.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart, InUse } from './cannot-start.ts';

const stopMaxMs = 10_000;
const pollMs = 20;

/** The lines of postmaster.pid that matter. */
export interface Postmaster {
  pid: number;
  dataDir: string;
  /** It accepts connections; a standby those that read. */
  ready: boolean;
}

export function readPostmaster(dataDir: string): Postmaster | undefined {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), dataDir: lines[1] ?? '', ready: ['ready', 'standby'].includes(lines[7]?.trim() ?? '') };
}

/** Records the owner of the data directory while the process lives. */
export function claimDataDir(dataDir: string): void {
  writeFileSync(ownerFile(dataDir), JSON.stringify({ pid: process.pid, command: commandOf(process.pid) }), { mode: 0o600 });
}

export function releaseDataDir(dataDir: string): void {
  rmSync(ownerFile(dataDir), { force: true });
}

const ownerFile = (dataDir: string): string => `${dataDir}.owner`;

/** Prepares a start: refuses while the owner lives, stops a postmaster whose owner is gone. */
export async function stopLeftover(dataDir: string, log: (line: string) => void): Promise<void> {
  demandNoOwner(dataDir);
  const postmaster = readPostmaster(dataDir);
  if (!postmaster) return;
  const ours =
    path.resolve(postmaster.dataDir) === path.resolve(dataDir) && isAlive(postmaster.pid) && isPostgres(commandOf(postmaster.pid), dataDir);
  if (ours) {
    log(`PostgreSQL of an earlier run (process ${postmaster.pid}) is still up and is stopped first`);
    await stopPostmaster(postmaster.pid);
  }
  // PostgreSQL would refuse to start if another program now has the recorded pid.
  rmSync(path.join(dataDir, 'postmaster.pid'), { force: true });
}

function demandNoOwner(dataDir: string): void {
  if (!existsSync(ownerFile(dataDir))) return;
  const text = readFileSync(ownerFile(dataDir), 'utf8');
  const owner = (text.startsWith('{') ? JSON.parse(text) : { pid: 0 }) as { pid: number; command?: string };
  // This process itself may own it: it can start, stop and start again.
  if (owner.pid === process.pid || !isAlive(owner.pid) || commandOf(owner.pid) !== owner.command) return;
  throw new InUse(`${dataDir} is in use by process ${owner.pid} (${owner.command}): stop that one first.`);
}

/** A fast shutdown, and an immediate one if that takes too long. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < stopMaxMs && isAlive(pid); waited += pollMs) await wait(pollMs);
  }
  if (isAlive(pid)) throw new CannotStart(`PostgreSQL (process ${pid}) does not stop: end it by hand and try again.`);
}

function isPostgres(command: string, dataDir: string): boolean {
  return /postgres/.test(command) && command.includes(dataDir);
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Without an init process a container keeps the entry of a dead orphan (a zombie). */
function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && /^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'));
}

/** With its arguments. */
export function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, 'utf8').replaceAll('\0', ' ').trim();
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}
