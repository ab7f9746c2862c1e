/** The scopes that a key can be granted, each with its text (specification, Authentication, Scopes). */
export const scopeTexts = {
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

export type Scope = keyof typeof scopeTexts;

export const scopes = Object.keys(scopeTexts) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeTexts, text);
}

/** Marks settings that only staff see; it cannot be granted to a key. */
export const fullSettingsScope = 'settings:full';
export const costsScope: Scope = 'costs:read';
