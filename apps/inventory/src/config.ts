/** What inventory reads from the environment: nothing beside what every service reads. */
import { settingsOf } from '@store/service';
import { inventory } from './main.ts';

export const settings = settingsOf(inventory);
