import { notFound } from '@store/problem';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { settingsColumns, settingsOf, settingsView } from './settings.view.ts';

/** All settings; for keys the renderer leaves out those marked settings:full. */
export const getSettings: Verb<'GetSettings'> = async (app, _request, { caller }) => {
  const [row] = await app.db.read(tables.selectFrom('stores').select(settingsColumns).where('id', '=', caller.storeId));
  if (!row) throw notFound('Store');
  return { settings: settingsView(settingsOf(row)) };
};
