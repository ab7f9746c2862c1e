/** Sales' own copy of customers, fed by their events: what a sale shows of its customer, and what a search finds it by (D165). */
import { defineEntity, p } from '@mikro-orm/core';
import { storeIdColumn } from '@store/db';

/** The trigram index of a text; MikroORM compares such an expression by its name. */
const trigrams = (name: string, column: string) => ({
  name,
  expression: `create index ${name} on sales.customers using gin (store_id, ${column} public.gin_trgm_ops) with (gin_pending_list_limit = 512)`,
});

export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    storeId: storeIdColumn().primary(),
    id: p.bigint('number').primary(),
    name: p.text(),
    customerCode: p.text().nullable(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    archived: p.boolean(),
    /** The customer that it was found to be; that one may have been merged since. */
    mergedInto: p.bigint('number').nullable(),
    /** Name, e-mail and phone in lower case. */
    searchText: p.text(),
    phoneDigits: p.text(),
    /** Version of the copied event: an older one does not overwrite it. 0: from an answer of customers. */
    version: p.bigint('number').defaultRaw('0'),
  },
  indexes: [trigrams('customers_search', 'search_text'), trigrams('customers_phone', 'phone_digits')],
});
