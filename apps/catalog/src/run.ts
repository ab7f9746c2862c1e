import { run } from '@store/service';
import { catalog } from './main.ts';

await run(catalog, { republish: async (args) => (await import('./republish.ts')).republish(args) });
