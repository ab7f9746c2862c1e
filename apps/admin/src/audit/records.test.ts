import { expect, test } from '@jest/globals';
import { kindText, recordName, recordPath } from './records.ts';

test('an audited record is named in words, and leads to its page where it has one', () => {
  expect(['ApiKey', 'PurchaseOrder', 'Product'].map(kindText)).toEqual(['API key', 'Purchase order', 'Product']);
  expect(recordName({ resource_type: 'StockAdjustment', resource_id: 3 })).toBe('Stock adjustment 3');
  expect(recordPath({ resource_type: 'PurchaseOrder', resource_id: 8 })).toBe('/purchase-orders/8');
  expect(recordPath({ resource_type: 'Brand', resource_id: 8 })).toBeUndefined();
});
