/** PATCH /settings, Admin only: changes only the keys that are sent. */
import { changedFields, lockRecord } from '@store/db';
import { invalid, Problem, texts } from '@store/problem';
import type { SettingsResponse } from '@store/protos/gateway/v1.ts';
import { change, demandVersion } from '@store/service';
import type { Verb } from '../gateway.ts';
import { isConfirmed } from '../staff/find-session.ts';
import { Store, type TaxBlock } from '../stores/store.ts';
import { dropCachedStore, emitStoreChanged } from '../stores/store-changed.ts';
import { acceptSettings, type SettingsChange } from './settings.input.ts';
import { type StoreSettings, settingsView } from './settings.view.ts';

export const updateSettings: Verb<'UpdateSettings'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const accepted = acceptSettings(request.settings);
  const answer = await change<SettingsResponse>(app, call, async (em) => {
    const store = await lockRecord(em, Store, storeId);
    await demandVersion(call, () => ({ settings: settingsView(store) }));
    const values = merged(store, accepted);
    refuseIncompleteTax(values.tax);
    const changed = changedFields(facts(store), facts(values));
    if (changed) {
      if ('require_second_factor' in changed.after && !isConfirmed(app, call.session)) throw new Problem('forbidden', texts.passwordLately);
      Object.assign(store, values, { updatedAt: app.db.clock.now() });
      await em.flush();
      await emitStoreChanged(em, app.outbox, call.caller, storeId, {
        action: 'settings.update',
        resource_type: 'Settings',
        resource_id: storeId,
        ...changed,
      });
    }
    return { settings: settingsView(store) };
  });
  await dropCachedStore(app, storeId);
  return answer;
};

function merged(row: StoreSettings, { top, blocks, discountPresets }: SettingsChange): StoreSettings {
  const { locale, province, timezone, ...staffTop } = top;
  const { settings } = row;
  const { name, ...contact } = { name: row.name, ...row.contact, ...blocks.store };
  return {
    name,
    contact,
    locale: locale ?? row.locale,
    province: province === undefined ? row.province : province,
    timeZone: timezone ?? row.timeZone,
    features: row.features,
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

/** A mode without its rates would tax every sale at zero (D163). */
function refuseIncompleteTax(tax: TaxBlock): void {
  const needed = { none: [], single: ['rate'], split: ['gst_rate', 'pst_rate'] } as const;
  const missing = needed[tax.mode].filter((name) => tax[name] === null);
  if (missing.length > 0) throw invalid(missing.map((name) => `tax.${name} can't be blank`));
}

function facts(row: StoreSettings): Record<string, unknown> {
  return {
    locale: row.locale,
    store: { name: row.name, ...row.contact },
    tax: row.tax,
    province: row.province,
    timezone: row.timeZone,
    currency: { symbol: row.currency },
    branding: row.branding,
    ...row.settings,
  };
}
