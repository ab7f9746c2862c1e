/** A customer: its table, what is derived from its contacts, and the part of it that other services receive. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decimalColumn, type Row, searchText, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import type { CustomerFact } from '@store/events';
import { digitsOf } from '@store/input';

/** Wider than one amount: these are sums of many (docs/decisions/0145). */
const sum = () => decimalColumn(2, 20);
const living = 'archived_at is null';

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    ...storeKeyColumns(),
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    customerCode: p.text(),
    loyaltyCardNumber: p.text().nullable(),
    emailReceiptOptIn: p.boolean().default(false),
    dateOfBirth: p.date().nullable(),
    notes: p.text().nullable(),
    addressLine1: p.text().fieldName('address_line1').nullable(),
    addressLine2: p.text().fieldName('address_line2').nullable(),
    city: p.text().nullable(),
    province: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.text().nullable(),
    loyaltyTierId: p.bigint('number').nullable(),
    /** Name of the tier: what is shown changes with the row, and so with its event. */
    loyaltyTier: p.text().nullable(),
    /** Below 0 after a void of a sale whose points were spent (D221). */
    loyaltyPoints: p.bigint('number').defaultRaw('0'),
    lifetimeSpend: sum().default('0'),
    visitCount: p.integer().default(0),
    storeCreditBalance: sum().default('0'),
    /** The id that another system has for it. */
    externalId: p.text().nullable(),
    /** Of the e-mail and the phone, by which a duplicate is found (D77, D280). */
    emailKey: p.text().nullable(),
    phoneDigits: p.text().nullable(),
    /** Lower-cased name, e-mail, phone, code and card number: what `q` reads. */
    searchText: p.text().default(''),
    ...timeColumns(),
    archivedAt: timeColumn().nullable(),
    /** The customer that it was found to be; never itself one that was merged. */
    mergedInto: p.bigint('number').nullable(),
  },
  uniques: [
    // Not freed by archiving, as e-mail, phone and card are (D225).
    { name: 'customers_code', properties: ['storeId', 'customerCode'] },
    { name: 'customers_card', properties: ['storeId', 'loyaltyCardNumber'], where: `${living} and loyalty_card_number is not null` },
    { name: 'customers_external', properties: ['storeId', 'externalId'], where: `${living} and external_id is not null` },
  ],
  indexes: [
    { name: 'customers_credit', properties: ['storeId', 'id'], where: `store_credit_balance > 0 and ${living}` },
    { name: 'customers_merged', properties: ['storeId', 'mergedInto'], where: 'merged_into is not null' },
    { name: 'customers_listed', properties: ['storeId', 'updatedAt', 'id'], where: living },
    { name: 'customers_walked', properties: ['storeId', 'createdAt', 'id'], where: living },
    { name: 'customers_email', properties: ['storeId', 'emailKey'], where: `${living} and email_key is not null` },
    { name: 'customers_phone', properties: ['storeId', 'phoneDigits'], where: `${living} and phone_digits is not null` },
    {
      name: 'customers_search',
      expression: `create index customers_search on customers.customers using gin (store_id, search_text public.gin_trgm_ops, phone_digits public.gin_trgm_ops) with (gin_pending_list_limit = 512) where ${living}`,
    },
  ],
});

export type CustomerRecord = InferEntity<typeof Customer>;

/** The next code of a store; a code is never used again. */
export const CustomerCodes = defineEntity({
  name: 'CustomerCodes',
  tableName: 'customer_codes',
  properties: { storeId: p.bigint('number').primary().autoincrement(false), allocated: p.integer() },
});

/** The running total of the customers that are not archived. */
export const customersTotal = 'customers';

/** Lower-cased here and not in SQL: PostgreSQL's lower() knows only ASCII under the C locale. */
export const emailKeyOf = (email: string): string => email.toLowerCase();

type Contacts = Pick<CustomerRecord, 'name' | 'email' | 'phone' | 'customerCode' | 'loyaltyCardNumber'>;

/** The columns that follow from the others; written with them. */
export function derivedOf({ name, email, phone, customerCode, loyaltyCardNumber }: Contacts) {
  return {
    emailKey: email ? emailKeyOf(email) : null,
    phoneDigits: phone ? digitsOf(phone) : null,
    searchText: searchText([name, email, phone, customerCode, loyaltyCardNumber]),
  };
}

type FactColumns = Pick<Row<typeof Customer>, 'id' | 'name' | 'customer_code' | 'email' | 'phone' | 'archived_at' | 'merged_into'>;

export function factOf({ id, name, customer_code, email, phone, archived_at, merged_into }: FactColumns): CustomerFact {
  return { id, name, customer_code, email, phone, archived: archived_at !== null, ...(merged_into && { merged_into }) };
}
