import { isoTime } from '@store/db';
import { dateIn } from '@store/input';
import type { Customer, CustomerAddress, CustomerRecord } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import { ageOn, isBirthday } from './birthday.ts';
import type { CustomerRow } from './customer.query.ts';

/** Inputs of the shapes besides the row. */
export interface Reader {
  /** Today by the store's calendar. */
  today: string;
  hasLoyalty: boolean;
}

export function readerOf({ timeZone, features }: Pick<Caller, 'timeZone' | 'features'>, now: Date): Reader {
  return { today: dateIn(timeZone, now), hasLoyalty: features.has('loyalty') };
}

/** The shape of lists, single reads and events. Fields with no value are left out (General conventions). */
export function customerView(row: CustomerRow, reader: Reader): Customer {
  return {
    ...profile(row, reader),
    ...(reader.hasLoyalty && { loyalty_tier: row.loyalty_tier ?? undefined, loyalty_points: row.loyalty_points }),
    address: addressOf(row),
  };
}

/** "a fuller internal customer record with flat address columns instead of an address object" (D75). */
export function customerRecordView(row: CustomerRow, reader: Reader): CustomerRecord {
  return {
    ...profile(row, reader),
    ...(reader.hasLoyalty && {
      loyalty_tier: row.loyalty_tier ?? undefined,
      loyalty_tier_id: row.loyalty_tier_id ?? undefined,
      loyalty_points: row.loyalty_points,
    }),
    address_line1: row.address_line1 ?? undefined,
    address_line2: row.address_line2 ?? undefined,
    city: row.city ?? undefined,
    province: row.province ?? undefined,
    postal_code: row.postal_code ?? undefined,
    country: row.country ?? undefined,
  };
}

function profile(row: CustomerRow, { today }: Reader) {
  const born = row.date_of_birth;
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? undefined,
    phone: row.phone ?? undefined,
    customer_code: row.customer_code,
    loyalty_card_number: row.loyalty_card_number ?? undefined,
    email_receipt_opt_in: row.email_receipt_opt_in,
    date_of_birth: born ?? undefined,
    age: born === null ? undefined : ageOn(today, born),
    birthday_today: born !== null && isBirthday(today, born),
    lifetime_spend: row.lifetime_spend,
    store_credit_balance: row.store_credit_balance,
    visit_count: row.visit_count,
    notes: row.notes ?? undefined,
    external_id: row.external_id ?? undefined,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** "present only when line 1 exists"; its blanks are left out as the customer's are (D227). */
function addressOf(row: CustomerRow): CustomerAddress | undefined {
  if (row.address_line1 === null) return undefined;
  return {
    line1: row.address_line1,
    line2: row.address_line2 ?? undefined,
    city: row.city ?? undefined,
    province: row.province ?? undefined,
    postal_code: row.postal_code ?? undefined,
    country: row.country ?? undefined,
  };
}
