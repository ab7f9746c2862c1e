import { AssertionError } from 'node:assert';
import type { Log } from './log.ts';

/**
 * Logs it and continues. That is safe because whatever such a promise was changing is in a transaction that did not commit,
 * and ending the process would fail all other requests in flight. It is not safe, and still ends the process,
 * - before the start is complete: only some of the parts would run (so this is called after it);
 * - for an exception that was thrown (`uncaughtException`): it interrupted whatever was on the stack, anywhere;
 * - when an assertion failed, Node's own included: the state in memory is not what the code expects.
 */
export function surviveRejections(log: Pick<Log, 'error'>, from: Pick<NodeJS.Process, 'on'> = process): { count: number } {
  const survived = { count: 0 };
  from.on('unhandledRejection', (reason) => {
    if (isCorruption(reason)) throw reason;
    survived.count += 1;
    log.error({ err: reason, survived: survived.count }, 'A promise was rejected with nobody waiting for it; going on');
  });
  return survived;
}

function isCorruption(reason: unknown): boolean {
  return reason instanceof AssertionError || (reason as { code?: unknown } | null)?.code === 'ERR_INTERNAL_ASSERTION';
}
