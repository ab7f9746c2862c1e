import { run } from '@store/service';
import { sales } from './main.ts';

await run(sales);
