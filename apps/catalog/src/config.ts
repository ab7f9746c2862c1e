import { settingsOf } from '@store/service';
import { catalog } from './main.ts';

/** Every setting that the catalogue reads. */
export const settings = settingsOf(catalog);
