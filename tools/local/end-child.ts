/** Ends a process that this one has started. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Resolves once it has ended; one that has not ended on the signal after `maxMs` is killed. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM', maxMs = 15_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs);
  await ended;
  clearTimeout(timer);
}
