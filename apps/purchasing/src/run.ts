import { run } from '@store/service';
import { purchasing } from './main.ts';

await run(purchasing);
