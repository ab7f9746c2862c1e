/** The inventory as a process of its own. */
import { migrateCommand, run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('inventory', settings, start, {
  migrate: async (args) => migrateCommand('inventory', (await import('./migrations/all.ts')).migrations, args),
});
