/** Webhooks as a process of its own. */
import { migrateCommand, run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('webhooks', settings, start, {
  migrate: async (args) => migrateCommand('webhooks', (await import('./migrations/all.ts')).migrations, args),
  'raise-sequences': async (args) => (await import('./events/raise-sequences.ts')).raiseSequencesCommand(args),
  reseal: async (args) => (await import('./reseal.ts')).reseal(args),
});
