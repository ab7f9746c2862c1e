/** Sales as a process of its own. */
import { migrateCommand, run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('sales', settings, start, {
  migrate: async (args) => migrateCommand('sales', (await import('./migrations/all.ts')).migrations, args),
});
