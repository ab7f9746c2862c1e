/** The kinds of record that the audit trail names, and the pages of those that have one. */
import { fromApi } from '../language/t.ts';

const paths: Record<string, string> = {
  Customer: '/customers',
  Product: '/products',
  PurchaseOrder: '/purchase-orders',
  Sale: '/sales',
  WebhookSubscription: '/webhooks',
};

export const recordKinds = [
  'ApiKey',
  'Brand',
  'CashDrawerMovement',
  'CashDrawerSession',
  'Category',
  'Customer',
  'GiftCard',
  'LoyaltyReward',
  'LoyaltyTier',
  'Product',
  'Promotion',
  'PurchaseOrder',
  'RevenueCenter',
  'Sale',
  'Settings',
  'StaffSession',
  'StaffUser',
  'StockAdjustment',
  'Store',
  'Supplier',
  'WarehouseLocation',
  'WebhookSubscription',
] as const;

export type RecordKind = (typeof recordKinds)[number];

interface RecordOf {
  resource_type: string;
  resource_id: number;
}

/** `PurchaseOrder` → `Purchase order`, in the panel's language. */
export function kindText(kind: string): string {
  const words = kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return fromApi(words.replace(/^Api /, 'API '));
}

export function recordName({ resource_type, resource_id }: RecordOf): string {
  return `${kindText(resource_type)} ${resource_id}`;
}

export function recordPath({ resource_type, resource_id }: RecordOf): string | undefined {
  const path = paths[resource_type];
  return path && `${path}/${resource_id}`;
}
