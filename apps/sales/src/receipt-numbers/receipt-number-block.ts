/** A store's next receipt number; processes take numbers in blocks (D236). */
import { defineEntity } from '@mikro-orm/core';
import { numberBlockColumns } from '@store/db';

export const ReceiptNumberBlock = defineEntity({
  name: 'ReceiptNumberBlock',
  tableName: 'receipt_number_blocks',
  properties: numberBlockColumns(),
});
