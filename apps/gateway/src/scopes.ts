/** The scopes that a key can be granted (specification, Authentication, Scopes). */
export const scopes = [
  'products:read',
  'customers:read',
  'sales:read',
  'inventory:read',
  'purchasing:read',
  'costs:read',
  'loyalty:read',
  'gift_cards:read',
  'store_credits:read',
  'storefront:read',
  'products:write',
  'customers:write',
  'inventory:write',
  'webhooks:manage',
  'storefront:write',
] as const;

const known: ReadonlySet<string> = new Set(scopes);

export function isScope(text: string): boolean {
  return known.has(text);
}

/** Marks settings that only staff see; it cannot be granted to a key. */
export const fullSettingsScope = 'settings:full';
export const costsScope = 'costs:read';
