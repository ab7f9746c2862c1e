/** The text of each scope (specification, Scopes). */
import type { scopes } from '../scopes.ts';

export const scopeTexts: Record<(typeof scopes)[number], string> = {
  'products:read': 'Read products, categories, brands and store settings.',
  'customers:read': 'Read customer profiles and their loyalty.',
  'sales:read': 'Read sales and their lines.',
  'inventory:read': 'Read the stock ledger.',
  'purchasing:read': 'Read purchase orders with receiving and variance.',
  'costs:read': 'See cost, average_cost and wholesale_price on products.',
  'loyalty:read': 'Read loyalty tiers and rewards.',
  'gift_cards:read': 'Read gift card balances.',
  'store_credits:read': 'Read store credit balances.',
  'storefront:read': 'Read storefront configuration, schema and change history.',
  'products:write': 'Create products, upsert and update them in bulk, stock included.',
  'customers:write': 'Create and update customers.',
  'inventory:write': 'Record stock adjustments and stock counts.',
  'webhooks:manage': "Manage the key's own webhook subscriptions, and read the event log.",
  'storefront:write': 'Update the storefront, publish drafts and revert changes.',
};
