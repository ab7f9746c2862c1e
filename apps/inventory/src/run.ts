import { run } from '@store/service';
import { inventory } from './main.ts';

await run(inventory);
