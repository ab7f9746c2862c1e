/** Sales as a process of its own. */
import { run } from '@store/service';
import { settings } from './config.ts';
import { start } from './main.ts';

await run('sales', settings, start);
