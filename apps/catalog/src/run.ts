import { run } from '@store/service';
import { catalog } from './main.ts';

await run(catalog);
