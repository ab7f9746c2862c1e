/** Runs the real k6 on the script beside this file, and shows how far it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { goTool } from '../../tools/local/go-tool.ts';

const module = 'go.k6.io/k6';

export const k6Binary = (log: (line: string) => void, signal: AbortSignal) =>
  goTool({ name: 'k6', main: module, module, version: 'v1.8.1' }, log, signal);

const announceEveryMs = 5_000;
/** Beyond the stages and the iterations that are let finish. */
const overtimeMs = 60_000;

export interface K6Run {
  binary: string;
  configFile: string;
  seconds: number;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** Resolves with k6's exit code: 0, or 99 where a threshold was passed. */
export async function runK6({ binary, configFile, seconds, log, signal }: K6Run): Promise<number> {
  const script = path.join(import.meta.dirname, 'k6/main.js');
  // Nothing is sent to anyone but the product, and no port is opened.
  const flags = ['run', '--no-color', '--no-usage-report', '--address=', '--env', `LOAD_CONFIG=${configFile}`, script];
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000 + overtimeMs)]);
  const child = spawn(binary, flags, { stdio: ['ignore', 'pipe', 'pipe'], signal: bounded, killSignal: 'SIGINT' });
  let announcedAt = 0;
  createInterface(child.stdout).on('line', (line) => {
    const isProgress = line.startsWith('running (') && performance.now() - announcedAt > announceEveryMs;
    if (!isProgress) return;
    announcedAt = performance.now();
    log(line.replace('running ', 'k6 '));
  });
  createInterface(child.stderr).on('line', (line) => {
    if (/level=(error|fatal|warning)/.test(line)) log(line);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
