import { settingsOf } from '@store/service';
import { sales } from './main.ts';

/** Every setting that sales reads. */
export const settings = settingsOf(sales);
