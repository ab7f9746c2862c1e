/** Purchasing as a process of its own. */
import { migrateCommand, run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('purchasing', settings, start, {
  migrate: async (args) => migrateCommand('purchasing', (await import('./migrations/all.ts')).migrations, args),
});
