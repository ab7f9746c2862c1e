/**
 * Store credit that a sale is about to take (D210). The row is committed before customers is asked and removed with the
 * commit of the completed sale; a row that stays belongs to no completed sale, and the sweep gives its credit back.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, storeKeyColumns, timeColumn } from '@store/db';

export const StoreCreditIntent = defineEntity({
  name: 'StoreCreditIntent',
  tableName: 'store_credit_intents',
  properties: {
    ...storeKeyColumns(),
    saleId: p.bigint('number'),
    customerId: p.bigint('number'),
    amount: decimalColumn(2),
    /** Set before customers is asked to give it back; from then on no sale can use the intent. */
    givingBack: p.boolean().default(false),
    /** Who asked, such as user:3, and the Idempotency-Key: a repetition finds its own intent. Both null without a key. */
    actor: p.text().nullable(),
    requestKey: p.text().nullable(),
    createdAt: timeColumn(),
  },
  uniques: [{ name: 'store_credit_intents_request', properties: ['storeId', 'actor', 'requestKey'] }],
});
