import { settingsOf } from '@store/service';
import { purchasing } from './main.ts';

/** Every setting that purchasing reads. */
export const settings = settingsOf(purchasing);
