import type { AppName } from '@store/contract';
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

/** Works on the arguments after its name; false, and what it throws, end the process with 1. */
export type AppCommand = (args: string[]) => Promise<boolean>;

/** Says how a command is used, which is all that `--help` asks of it. */
export function printUsage(usage: string): true {
  console.log(usage);
  return true;
}

/** The commands that every app has. Loaded when they are run: a service that serves needs none of them. */
function commonCommands(app: string): Record<string, AppCommand> {
  return {
    distribute: async (args) => (await import('./distribute-command.ts')).distributeCommand(app, args),
    relay: async (args) => (await import('./relay-command.ts')).relayCommand(app as AppName, args),
    redrive: async (args) => (await import('./redrive-command.ts')).redriveCommand(app, args),
    roles: async (args) => (await import('./roles-command.ts')).rolesCommand(args),
    topics: async (args) => (await import('./topics-command.ts')).topicsCommand(args),
  };
}

export function commandNames(own: Record<string, AppCommand>): string[] {
  return Object.keys({ ...commonCommands(''), ...own }).sort();
}

export async function dispatch(app: string, own: Record<string, AppCommand>, name: string, args: string[]): Promise<void> {
  const command = { ...commonCommands(app), ...own }[name];
  await runCommand(async () => {
    if (!command) throw new BadConfig(`${app} has no command ${name}; it has ${commandNames(own).join(', ')}.`);
    return command(args);
  });
}
