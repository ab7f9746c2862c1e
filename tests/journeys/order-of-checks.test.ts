/** D1: if several things are wrong with a request, the earliest check answers. */
import { describe, expect, test } from '@jest/globals';
import { scopes as everyScope } from '@store/contract';
import { texts } from '@store/problem';
import { useWorld } from '../kit/use.ts';
import type { Store } from '../kit/world.ts';

const world = await useWorld();

interface Refusal {
  status: number;
  body: Record<string, unknown>;
}
const refusal = (status: number, error: string, code?: string): Refusal => ({ status, body: { error, ...(code && { code }) } });

/** What can be wrong with the caller, in the order of the checks; each is independent of the request. */
const callerFaults = {
  'key 401': refusal(401, texts.invalidKey),
  'rate limit 429': refusal(429, texts.rateLimited),
  'billing 402': refusal(402, texts.noSubscription, 'pos_plan_required'),
  'Developer API off 403': refusal(403, 'Developer API is not included in your plan', 'feature_not_enabled'),
  'Test Mode 403': refusal(403, texts.testMode),
} as const;
type CallerFault = keyof typeof callerFaults;

interface RequestFault extends Refusal {
  method: string;
  path: string;
  body_sent?: unknown;
  /** Scopes of the key; all of them when absent. */
  scopes?: string[];
}

const adjustment = { adjustment_type: 'receive', quantity_change: 0, product_id: 'PRODUCT' };

/** What can be wrong with the request, in the order of the checks. */
const requestFaults: Record<string, RequestFault> = {
  'internal 403': { method: 'PATCH', path: '/products/1', ...refusal(403, texts.internal) },
  'loyalty points 403': { method: 'POST', path: '/customers/1/loyalty/earn', ...refusal(403, texts.loyaltyPoints) },
  'read-only 403': { method: 'POST', path: '/sales', ...refusal(403, texts.readOnly) },
  'unknown route 404': { method: 'POST', path: '/nothing', ...refusal(404, 'Not found') },
  'scope 403': {
    method: 'POST',
    path: '/products',
    scopes: ['products:read'],
    body_sent: { product: { name: 'A' } },
    ...refusal(403, 'Insufficient scope. Required: products:write'),
  },
  'wrapper 400': { method: 'POST', path: '/products', body_sent: {}, ...refusal(400, 'param is missing or the value is empty: product') },
  'row 404': {
    method: 'POST',
    path: '/stock_adjustments',
    body_sent: { ...adjustment, quantity_change: 1, product_id: 999_999_999 },
    ...refusal(404, 'Product not found'),
  },
  'invalid 422': {
    method: 'POST',
    path: '/stock_adjustments',
    body_sent: adjustment,
    status: 422,
    body: { error: 'Validation failed: Quantity change must not be zero', errors: ['Quantity change must not be zero'] },
  },
};

/** Requests with two faults that depend on each other; the first named check answers. */
const bothInTheRequest: [string, string, Omit<RequestFault, 'status' | 'body'>][] = [
  ['read-only 403', 'internal 403', { method: 'PATCH', path: '/brands/1' }],
  ['read-only 403', 'unknown route 404', { method: 'POST', path: '/sales/1/anything' }],
  ['loyalty points 403', 'unknown route 404', { method: 'POST', path: '/customers/1/loyalty/nothing' }],
  ['read-only 403', 'scope 403', { method: 'POST', path: '/sales', scopes: ['products:read'] }],
  ['internal 403', 'scope 403', { method: 'PATCH', path: '/products/1', scopes: ['sales:read'] }],
  ['internal 403', 'wrapper 400', { method: 'PATCH', path: '/products/1', body_sent: {} }],
  ['unknown route 404', 'scope 403', { method: 'POST', path: '/nothing', scopes: ['sales:read'] }],
  ['scope 403', 'wrapper 400', { method: 'POST', path: '/products', scopes: ['products:read'], body_sent: {} }],
];

const paired = (faults: CallerFault[]) =>
  faults.flatMap((first, index) => faults.slice(index + 1).map((second) => [first, second] as const));
const callerPairs = paired(Object.keys(callerFaults) as CallerFault[]);
const mixedPairs = (Object.keys(callerFaults) as CallerFault[]).flatMap((first) =>
  Object.keys(requestFaults).map((second) => [first, second] as const),
);

async function send(faults: Set<CallerFault>, request: Omit<RequestFault, 'status' | 'body'>) {
  const store = await world.newStore();
  const productId = await newProduct(store);
  const key = await world.newKey(store, {
    scopes: request.scopes ?? everyScope,
    test_mode: faults.has('Test Mode 403'),
    rate_limit: faults.has('rate limit 429') ? 1 : 1000,
  });
  // The key's own limit of 1 applies once it has completed a request.
  if (faults.has('rate limit 429')) await world.call('GET', '/key', { key });
  if (faults.has('key 401')) await revokeAll(store);
  if (faults.has('billing 402')) await world.setStore(store, { posSubscription: 'inactive' });
  if (faults.has('Developer API off 403')) await world.setStore(store, { features: ['loyalty'] });
  const sent = JSON.stringify(request.body_sent ?? {}).replace('"PRODUCT"', String(productId));
  const answer = await world.call(request.method, request.path, { key, raw: sent });
  // D29: the code for programs is in the body too where the plan is the reason.
  if (answer.body?.code) expect(answer.headers.get('x-error-code')).toBe(answer.body.code);
  return { status: answer.status, body: answer.body };
}

async function newProduct(store: Store): Promise<number> {
  const created = await world.call('POST', '/products', { token: store.token, body: { product: { name: 'A' } } });
  return created.body.product.id;
}

async function revokeAll(store: Store): Promise<void> {
  const { body } = await world.call('GET', '/api_keys', { token: store.token });
  for (const { id } of body.api_keys) await world.call('DELETE', `/api_keys/${id}`, { token: store.token });
}

const simple = { method: 'POST', path: '/products', body_sent: { product: { name: 'B' } } };

describe('D1: each check by itself', () => {
  test.each(Object.entries(callerFaults))('%s alone is answered as specified', async (fault, expected) => {
    expect(await send(new Set([fault as CallerFault]), simple)).toEqual(expected);
  });

  test.each(Object.entries(requestFaults))('%s alone is answered as specified', async (_name, { status, body, ...request }) => {
    expect(await send(new Set(), request)).toEqual({ status, body });
  });
});

describe('D1, D2: of two faults the earlier answers', () => {
  test.each(callerPairs)('%s is checked before %s', async (first, second) => {
    expect(await send(new Set([first, second]), simple)).toEqual(callerFaults[first]);
  });

  test.each(mixedPairs)('%s is checked before %s', async (first, second) => {
    const { status: _status, body: _body, ...request } = requestFaults[second]!;
    expect(await send(new Set([first]), request)).toEqual(callerFaults[first]);
  });

  test.each(bothInTheRequest)('%s is checked before %s', async (first, _second, request) => {
    const { status, body } = requestFaults[first]!;
    expect(await send(new Set(), request)).toEqual({ status, body });
  });

  test('the wrapper (400) is checked before the row (404), that before values (422)', async () => {
    const request = { method: 'POST', path: '/stock_adjustments' };
    const missing = { product_id: 999_999_999, quantity_change: 0 };
    expect(await send(new Set(), { ...request, body_sent: missing })).toEqual(
      refusal(400, 'param is missing or the value is empty: adjustment_type'),
    );
    expect(await send(new Set(), { ...request, body_sent: { ...adjustment, product_id: 999_999_999 } })).toEqual(
      refusal(404, 'Product not found'),
    );
  });

  test('both 402s: no subscription is named before unfinished onboarding', async () => {
    const store = await world.newStore();
    const key = await world.newKey(store);
    await world.setStore(store, { posSubscription: 'inactive', onboarding: 'pending' });
    expect((await world.call('GET', '/key', { key })).body).toEqual({ error: texts.noSubscription, code: 'pos_plan_required' });
  });
});
