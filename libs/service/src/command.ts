import { Problem } from '@store/problem';
import { BadConfig } from './config.ts';

/** Runs a command of an app to its end; exit code 1 when it returns false or fails for a reason that an operator can fix. */
export async function runCommand(work: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await work())) process.exitCode = 1;
  } catch (error) {
    if (error instanceof BadConfig) console.error(error.message);
    else if (error instanceof Problem) console.error(`${error.message}: ${String((error.cause as Error | undefined)?.message ?? '')}`);
    else console.error(error);
    process.exitCode = 1;
  }
}
