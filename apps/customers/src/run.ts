import { run } from '@store/service';
import { customers } from './main.ts';

await run(customers, { republish: async (args) => (await import('./republish.ts')).republish(args) });
