import { notFound } from '@store/problem';
import type { GetSettingsRequest__Output } from '@store/protos/gateway/v1/GetSettingsRequest.ts';
import type { SettingsResponse } from '@store/protos/gateway/v1/SettingsResponse.ts';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { type SettingsRow, settingsColumns, settingsView } from './settings.view.ts';

/** All settings; the renderer leaves out for keys what is marked settings:full. */
export async function getSettings(app: Gateway, _request: GetSettingsRequest__Output, call: GatewayCall): Promise<SettingsResponse> {
  const [row] = await app.db.read<SettingsRow>('get-settings', `select ${settingsColumns} from gateway.stores where id = $1`, [
    call.caller.storeId,
  ]);
  if (!row) throw notFound('Store');
  return { settings: settingsView(row) };
}
