/** PATCH /settings, Admin only: only the keys that are sent change. */

import { type EntityManager, sql } from '@store/db';
import { invalid, notFound } from '@store/problem';
import type { SettingsResponse } from '@store/protos/gateway/v1/SettingsResponse.ts';
import type { UpdateSettingsRequest__Output } from '@store/protos/gateway/v1/UpdateSettingsRequest.ts';
import type { Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Gateway, GatewayCall } from '../gateway.ts';
import type { TaxBlock } from '../stores/store.ts';
import { dropWhatIsRemembered, emitStoreChanged } from '../stores/store-changed.ts';
import { type SettingsChange, settingsChange } from './settings.input.ts';
import { type SettingsRow, settingsColumns, settingsView } from './settings.view.ts';

export async function updateSettings(
  app: Gateway,
  request: UpdateSettingsRequest__Output,
  call: GatewayCall,
): Promise<SettingsResponse | Reply<SettingsResponse>> {
  const { storeId } = call.caller;
  const wanted = settingsChange(request.settings);
  const answer = await change<SettingsResponse>({ db: app.db, call, response: 'store.gateway.v1.SettingsResponse' }, async (em) => {
    const [before] = await sql<SettingsRow>(em, `select ${settingsColumns} from gateway.stores where id = $1 for update`, [storeId]);
    if (!before) throw notFound('Store');
    const after = merged(before, wanted);
    refuseIncompleteTax(after.tax);
    const [old, now] = [facts(before), facts(after)];
    const changed = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(old[name]));
    if (changed.length > 0) {
      await write(em, storeId, after, app.db.clock.now());
      const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, from[name]]));
      await emitStoreChanged(em, app.outbox, call.caller, storeId, {
        action: 'settings.update',
        resource_type: 'Settings',
        resource_id: storeId,
        before: pick(old),
        after: pick(now),
      });
    }
    return { settings: settingsView(after) };
  });
  await dropWhatIsRemembered(app, storeId);
  return answer;
}

function merged(row: SettingsRow, { top, blocks, discountPresets }: SettingsChange): SettingsRow {
  const { locale, province, timezone, ...staffTop } = top;
  const { settings } = row;
  const { name, ...contact } = { name: row.name, ...row.contact, ...blocks.store };
  return {
    ...row,
    name,
    contact,
    locale: locale ?? row.locale,
    province: province === undefined ? row.province : province,
    time_zone: timezone ?? row.time_zone,
    currency: blocks.currency?.symbol ?? row.currency,
    tax: { ...row.tax, ...blocks.tax },
    branding: { ...row.branding, ...blocks.branding },
    settings: {
      ...settings,
      ...staffTop,
      opening_float: staffTop.opening_float ?? settings.opening_float,
      idle_timeout_minutes: staffTop.idle_timeout_minutes ?? settings.idle_timeout_minutes,
      receipt_printer: { ...settings.receipt_printer, ...blocks.receipt_printer },
      scale: { ...settings.scale, ...blocks.scale },
      tier_pricing: { ...settings.tier_pricing, ...blocks.tier_pricing },
      dual_store: { ...settings.dual_store, ...blocks.dual_store },
      discount_presets: discountPresets ?? settings.discount_presets,
    },
  };
}

/** A mode without its rates would tax every sale with nothing (decision D163). */
function refuseIncompleteTax(tax: TaxBlock): void {
  const needed = { none: [], single: ['rate'], split: ['gst_rate', 'pst_rate'] } as const;
  const missing = needed[tax.mode].filter((name) => tax[name] === null);
  if (missing.length > 0) throw invalid(missing.map((name) => `tax.${name} can't be blank`));
}

/** The settings by their public names, for the audit trail. */
function facts(row: SettingsRow): Record<string, unknown> {
  return {
    locale: row.locale,
    store: { name: row.name, ...row.contact },
    tax: row.tax,
    province: row.province,
    timezone: row.time_zone,
    currency: { symbol: row.currency },
    branding: row.branding,
    ...row.settings,
  };
}

async function write(em: EntityManager, storeId: number, row: SettingsRow, now: Date): Promise<void> {
  await sql(
    em,
    `update gateway.stores set name = $2, time_zone = $3, currency = $4, locale = $5, province = $6, tax = $7, contact = $8,
       branding = $9, settings = $10, updated_at = $11 where id = $1`,
    [
      storeId,
      row.name,
      row.time_zone,
      row.currency,
      row.locale,
      row.province,
      JSON.stringify(row.tax),
      JSON.stringify(row.contact),
      JSON.stringify(row.branding),
      JSON.stringify(row.settings),
      now,
    ],
  );
}
