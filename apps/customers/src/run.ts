import { run } from '@store/service';
import { customers } from './main.ts';

await run(customers);
