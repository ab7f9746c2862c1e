import type { Row } from '@store/db';
import type { Tax } from '@store/rpc';
import { countryOf } from './country.ts';
import type { Store, TaxBlock } from './store.ts';
import type { StoreRecord } from './store-record.ts';

/** Columns that `storeRecord` needs, for statements that alias stores as `s`, beside a key's or a user's. */
export const storeColumns = [
  's.id as store_id',
  's.name as store_name',
  's.pos_subscription',
  's.onboarding',
  's.features',
  's.time_zone',
  's.currency',
  's.locale',
  's.tax',
  's.settings',
] as const;

type StoreRow = Row<typeof Store>;
export type StoreColumns = Pick<
  StoreRow,
  'pos_subscription' | 'onboarding' | 'features' | 'time_zone' | 'currency' | 'locale' | 'tax' | 'settings'
> & {
  store_id: number;
  store_name: string;
};

export function storeRecord(row: StoreColumns): StoreRecord {
  return {
    storeId: row.store_id,
    name: row.store_name,
    posSubscription: row.pos_subscription,
    onboarding: row.onboarding,
    features: row.features,
    timeZone: row.time_zone,
    country: countryOf(row.settings.country, row.time_zone),
    currency: row.currency,
    locale: row.locale,
    tax: taxOf(row.tax),
  };
}

function taxOf(block: TaxBlock): Tax {
  return {
    mode: block.mode,
    rate: block.rate ?? '',
    name: block.name ?? '',
    gstRate: block.gst_rate ?? '',
    gstName: block.gst_name ?? '',
    pstRate: block.pst_rate ?? '',
    pstName: block.pst_name ?? '',
  };
}
