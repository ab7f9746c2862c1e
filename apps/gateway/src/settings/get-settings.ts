import { notFound } from '@store/problem';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { settingsOf, settingsView } from './settings.view.ts';

/** All settings; for keys the renderer leaves out those marked settings:full. */
export const getSettings: Verb<'GetSettings'> = async (app, _request, { caller }) => {
  const stores = tables
    .selectFrom('stores')
    .select(['name', 'time_zone', 'currency', 'locale', 'province', 'features', 'tax', 'contact', 'branding', 'settings']);
  const [row] = await app.db.read(stores.where('id', '=', caller.storeId));
  if (!row) throw notFound('Store');
  return { settings: settingsView(settingsOf(row)) };
};
