/** The gateway as a process of its own. */
import { migrateCommand, run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('gateway', settings, start, {
  migrate: async (args) => migrateCommand('gateway', (await import('./migrations/all.ts')).migrations, args),
  relay: async (args) => (await import('./relay.ts')).relay(args),
  reseal: async (args) => (await import('./reseal.ts')).reseal(args),
  store: async (args) => (await import('./stores/store-command.ts')).storeCommand(args),
});
