import { settingsOf } from '@store/service';
import { customers } from './main.ts';

/** Every setting that customers reads. */
export const settings = settingsOf(customers);
