import type { Settings } from '@store/protos/gateway/v1.ts';
import { countryOf } from '../stores/country.ts';
import type { Store } from '../stores/store.ts';

export type StoreSettings = Omit<Store, 'id' | 'posSubscription' | 'onboarding' | 'createdAt' | 'updatedAt'>;

export function settingsOf({ time_zone, ...row }: Omit<StoreSettings, 'timeZone'> & { time_zone: string }): StoreSettings {
  return { ...row, timeZone: time_zone };
}

export function settingsView(row: StoreSettings): Settings {
  const has = (feature: string) => row.features.includes(feature);
  const { settings } = row;
  return present({
    locale: row.locale,
    store: present({ name: row.name, ...row.contact }),
    tax: present(row.tax),
    province: row.province ?? undefined,
    timezone: row.timeZone,
    currency: { symbol: row.currency },
    branding: present(row.branding),
    features: {
      loyalty: has('loyalty'),
      customers: has('customers'),
      label_printing: has('label_printing'),
      additional_tax: has('additional_tax'),
      split_tax: has('split_tax'),
      developer_api: has('developer_api'),
      cannabis: has('cannabis'),
      stock_locations: has('stock_locations'),
    },
    receipt_printer: present(settings.receipt_printer),
    printer_bridge_address: settings.printer_bridge_address,
    scale: present(settings.scale),
    payment_terminal_location: settings.payment_terminal_location,
    payment_gateway_enabled: settings.payment_gateway_enabled,
    ecommerce_enabled: settings.ecommerce_enabled,
    opening_float: settings.opening_float,
    idle_timeout_minutes: settings.idle_timeout_minutes,
    discount_presets: settings.discount_presets,
    tier_pricing: settings.tier_pricing,
    dual_store: settings.dual_store,
    require_second_factor: settings.require_second_factor === true,
    country: countryOf(settings.country, row.timeZone),
    currency_code: settings.currency_code ?? undefined,
  });
}

type Present<T> = { [Name in keyof T]: Exclude<T[Name], null> | (null extends T[Name] ? undefined : never) };

/** A message has no null: a field without a value is absent, and the renderer writes null. */
function present<T extends object>(record: T): Present<T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? undefined])) as Present<T>;
}
