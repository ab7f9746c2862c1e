import { type AppCommand, commandNames, dispatch } from './command.ts';
import { BadConfig, describeSettings, type Settings } from './config.ts';
import { migrateCommand } from './migrate-command.ts';
import { processSettings, runProcess } from './run-process.ts';
import type { StartOptions } from './service.ts';
import { type ServiceDeclaration, settingsOf, startService } from './start-service.ts';

/** Runs the app until a signal, or the command that the first argument names; `--help` lists settings and commands. */
export async function run<App, S extends Settings, Doors extends object>(
  declared: ServiceDeclaration<App, S, Doors>,
  own: Record<string, AppCommand> = {},
  { args: [name, ...args] = process.argv.slice(2), ...injected }: { args?: string[] } & Pick<StartOptions, 'clock'> = {},
): Promise<void> {
  const { app, migrations } = declared;
  const commands: Record<string, AppCommand> = {
    migrate: async (given) => migrateCommand(app, migrations, given),
    ...own,
  };
  if (name !== undefined && !name.startsWith('-')) return dispatch(app, commands, name, args);
  if (name === '--help') {
    console.log(`${app} reads these environment variables:\n\n${describeSettings({ ...settingsOf(declared), ...processSettings })}`);
    console.log(`\nIts commands, each with its own --help: ${commandNames(commands).join(', ')}`);
    return;
  }
  try {
    await runProcess(app, (options: StartOptions) => startService(declared, { ...options, ...injected }), app);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
