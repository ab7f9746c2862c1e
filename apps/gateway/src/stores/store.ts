import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { idColumn, timeColumns } from '@store/db';

/** The features that a plan can include (D154). */
export const features = [
  'developer_api',
  'customers',
  'loyalty',
  'label_printing',
  'additional_tax',
  'split_tax',
  'cannabis',
  'stock_locations',
] as const;

/** "default all but cannabis and stock_locations" (D154) */
export const defaultFeatures = features.filter((feature) => feature !== 'cannabis' && feature !== 'stock_locations');

export const locales = ['en', 'fr', 'es'] as const;
export const taxModes = ['none', 'single', 'split'] as const;
/** Three neutral identifiers of the platform's brands (D126). */
export const brands = ['classic', 'market', 'studio'] as const;

/** Rates are percent text such as "13.00". */
export interface TaxBlock extends Texts<'rate' | 'name' | 'gst_rate' | 'gst_name' | 'pst_rate' | 'pst_name'> {
  mode: (typeof taxModes)[number];
}

export type Contact = Texts<'address' | 'phone' | 'email'>;

interface Branding extends Texts<'url' | 'support_email' | 'support_phone'> {
  name: string;
  brand: (typeof brands)[number];
}

type Texts<Name extends string> = Record<Name, string | null>;

interface StaffSettings {
  receipt_printer: { enabled: boolean; header: string | null; footer: string | null };
  printer_bridge_address: string | null;
  scale: { enabled: boolean; unit: string | null };
  payment_terminal_location: string | null;
  payment_gateway_enabled: boolean;
  ecommerce_enabled: boolean;
  opening_float: string;
  idle_timeout_minutes: number;
  discount_presets: { label: string; percentage: string }[];
  tier_pricing: { enabled: boolean };
  dual_store: { enabled: boolean };
  /** Absent in stores that never set it. */
  require_second_factor?: boolean;
  /** Code of ISO 3166; without it the time zone's country holds. */
  country?: string | null;
  /** Code of ISO 4217. */
  currency_code?: string | null;
}

const noRates = { rate: null, name: null, gst_rate: null, gst_name: null, pst_rate: null, pst_name: null };
export const defaultTax: TaxBlock = { mode: 'none', ...noRates };

export const defaultStaffSettings: StaffSettings = {
  receipt_printer: { enabled: false, header: null, footer: null },
  printer_bridge_address: null,
  scale: { enabled: false, unit: null },
  payment_terminal_location: null,
  payment_gateway_enabled: false,
  ecommerce_enabled: false,
  opening_float: '0.00',
  idle_timeout_minutes: 15,
  discount_presets: [],
  tier_pricing: { enabled: false },
  dual_store: { enabled: false },
};

export const Store = defineEntity({
  name: 'Store',
  tableName: 'stores',
  properties: {
    id: idColumn(),
    name: p.text(),
    timeZone: p.text(),
    currency: p.text(),
    locale: p.text(),
    province: p.text().nullable(),
    posSubscription: p.enum(['active', 'inactive']),
    onboarding: p.enum(['done', 'pending']),
    features: p.array().columnType('text[]'),
    tax: p.json<TaxBlock>(),
    contact: p.json<Contact>(),
    branding: p.json<Branding>(),
    settings: p.json<StaffSettings>(),
    ...timeColumns(),
  },
  // A store's own row is filtered by its id.
  filters: { store: { name: 'store', cond: ({ storeId }) => ({ id: storeId }), default: true } },
});

export type Store = InferEntity<typeof Store>;
