/** What the commands of tests share: whole numbers, a log with the time, an end by a signal, and errors as a person reads them. */
import { type Command, InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export interface Run {
  log(line: string): void;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

/** Each line begins with the seconds since the log was opened. */
export function timedLog(write: (line: string) => void): Run['log'] {
  const startedAt = performance.now();
  return (line) => write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Runs the command; a failure is its exit code. */
export async function runCommand(command: Command, action: (run: Run, ...given: never[]) => Promise<void>): Promise<void> {
  const log = timedLog((line) => console.error(line));
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort(new Error(`Interrupted by ${name}.`)));
  try {
    await command
      .showHelpAfterError('(--help shows what there is)')
      .action((...given) => action({ log, signal: interrupted.signal }, ...(given as never[])))
      .parseAsync();
  } catch (error) {
    const { name, cause } = error as Error;
    console.error(name === 'AbortError' && cause instanceof Error ? cause.message : error);
    process.exitCode = 1;
  }
}
