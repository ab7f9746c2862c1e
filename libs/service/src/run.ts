/** One app as a process of its own. */
import type { AppName } from '@store/contract';
import { type AppCommand, commandNames, dispatch } from './command.ts';
import { BadConfig, describeSettings, type Settings } from './config.ts';
import { processSettings, runProcess } from './run-process.ts';
import type { Running, StartOptions } from './service.ts';

/**
 * Starts the app and runs until a signal. A first argument names a command of the app, which runs instead; `--help` lists
 * what the app reads from the environment, and its commands.
 */
export async function run(
  app: string,
  settings: Settings,
  start: (options: StartOptions) => Promise<Running>,
  commands: Record<string, AppCommand> = {},
  [name, ...args] = process.argv.slice(2),
): Promise<void> {
  if (name !== undefined && !name.startsWith('-')) return dispatch(app, commands, name, args);
  if (name === '--help') {
    console.log(`${app} reads these environment variables:\n\n${describeSettings({ ...settings, ...processSettings })}`);
    console.log(`\nIts commands, each with its own --help: ${commandNames(commands).join(', ')}`);
    return;
  }
  try {
    await runProcess(app, start, app as AppName);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
