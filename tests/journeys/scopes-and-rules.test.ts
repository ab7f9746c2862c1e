/** Specification: Scopes and Rules 1 to 6, for every endpoint that the protos declare. */
import { describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints, scopes as everyScope, refusals } from '@store/contract';
import { texts } from '@store/problem';
import { useWorld } from '../kit/use.ts';

const keysByScope = new Map<string, { only: string; without: string }>();

const served = endpoints();
const named = (list: Endpoint[]) => list.map((endpoint) => [`${endpoint.httpMethod} ${endpoint.path}`, endpoint] as const);
const forKeys = served.filter(({ access }) => !access.staffOnly && !access.public);
const scoped = forKeys.filter(({ access }) => access.scope !== '');
const notForKeys = served.filter(({ access }) => access.staffOnly || access.public);

/** Rules 2 names them, brands by D19. */
const readOnlyFamilies = [
  'sales',
  'purchase_orders',
  'suppliers',
  'gift_cards',
  'store_credits',
  'loyalty_tiers',
  'loyalty_rewards',
  'categories',
  'brands',
  'settings',
];
const isPointsWrite = ({ httpMethod, path }: Endpoint) => httpMethod !== 'GET' && path.startsWith('/customers/{id}/loyalty/');
const isReadOnlyWrite = ({ httpMethod, path }: Endpoint) => httpMethod !== 'GET' && readOnlyFamilies.includes(path.split('/')[1]!);

const world = await useWorld();
const key = await world.newKey(world.store);
for (const scope of new Set(scoped.map(({ access }) => access.scope))) {
  keysByScope.set(scope, {
    only: await world.newKey(world.store, { scopes: [scope] }),
    without: await world.newKey(world.store, { scopes: everyScope.filter((other) => other !== scope) }),
  });
}

function send(endpoint: Pick<Endpoint, 'httpMethod' | 'path'>, credentials: { key?: string; token?: string }) {
  const body = endpoint.httpMethod === 'GET' || endpoint.httpMethod === 'DELETE' ? undefined : {};
  return world.call(endpoint.httpMethod, endpoint.path.replaceAll(/\{\w+\}/g, '999999'), { ...credentials, body });
}

describe('Rules 1: "GET and HEAD need the endpoint\'s read scope", others the write scope', () => {
  test('the list of endpoints is not empty', () => expect(scoped.length).toBeGreaterThan(6));

  test.each(named(scoped))('%s with that one scope is past the scope check', async (_name, endpoint) => {
    const answer = await send(endpoint, { key: keysByScope.get(endpoint.access.scope)!.only });
    expect([401, 402, 403, 429, 500]).not.toContain(answer.status);
  });

  test.each(named(scoped.filter(({ httpMethod }) => httpMethod !== 'GET')))('%s asks for a write scope', (_name, { access }) => {
    expect(access.scope).toMatch(/:write$|^webhooks:manage$/);
  });

  test.each(named(scoped.filter(({ httpMethod }) => httpMethod === 'GET')))(
    'HEAD of %s asks for the same read scope',
    async (_name, { path, access }) => {
      expect(access.scope).toMatch(/:read$|^webhooks:manage$/);
      const head = (one: string) => world.call('HEAD', path.replaceAll(/\{\w+\}/g, '999999'), { key: one });
      expect((await head(keysByScope.get(access.scope)!.without)).status).toBe(403);
      expect((await head(keysByScope.get(access.scope)!.only)).status).not.toBe(403);
    },
  );
});

describe('Rules 2: "reject any non-GET with 403 … regardless of scopes"', () => {
  test('each family that the protos refuse is in this test, and no other', () => {
    const refused = refusals().flatMap(({ prefix, rule }) => (rule === 'READ_ONLY' ? [prefix.join('/')] : []));
    const families = new Set(served.map(({ path }) => path.split('/')[1]!));
    expect(refused.filter((family) => families.has(family)).sort()).toEqual([...readOnlyFamilies].sort());
  });

  const httpMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const paths = readOnlyFamilies.flatMap((family) => [`/${family}`, `/${family}/1`, `/${family}/1/anything`, `/${family}/lookup/x/y`]);
  test.each(paths.flatMap((path) => httpMethods.map((httpMethod) => [httpMethod, path])))('%s %s (D19, D176)', async (httpMethod, path) => {
    const answer = await world.call(httpMethod!, path!, { key, ...(httpMethod !== 'DELETE' && { body: {} }) });
    expect([answer.status, answer.text]).toEqual([403, `{"error":"${texts.readOnly}"}`]);
  });
});

describe('Rules 4: costs', () => {
  test('"cost visibility follows the user\'s role permission for financial data"', async () => {
    const product = { name: 'Costly', cost: '1.23', wholesale_price: 2 };
    await world.call('POST', '/products', { key, body: { product } });
    for (const financialData of [true, false]) {
      const token = await world.newStaff('manager', { financial_data: financialData });
      const { products } = (await world.call('GET', '/products?search=Costly', { token })).body;
      expect(['cost' in products[0], 'wholesale_price' in products[0]]).toEqual([financialData, financialData]);
    }
  });
});

describe('Rules 5', () => {
  test.each(named(notForKeys))('%s is not for keys', async (_name, endpoint) => {
    const answer = await send(endpoint, { key });
    const expected = isReadOnlyWrite(endpoint) ? texts.readOnly : isPointsWrite(endpoint) ? texts.loyaltyPoints : texts.internal;
    expect([answer.status, answer.text]).toEqual([403, `{"error":"${expected}"}`]);
  });

  test.each(['earn', 'redeem', 'adjust', 'earn/', '..%2fearn', 'earn/more', ''])(
    'loyalty points: POST /customers/1/loyalty/%s is 403 whatever the id',
    async (path) => {
      for (const id of ['1', '0', 'x', '99999999999999999999']) {
        const answer = await world.call('POST', `/customers/${id}/loyalty/${path}`, { key, body: {} });
        expect([answer.status, answer.body]).toEqual([403, { error: texts.loyaltyPoints }]);
      }
    },
  );

  test.each(named(served.filter(({ path }) => /^\/(key|events|webhook_subscriptions)\b/.test(path))))(
    'D178: %s is for keys only; staff get 404',
    async (_name, endpoint) => {
      expect((await send(endpoint, { token: world.store.token })).status).toBe(404);
    },
  );
});

describe('D249: the plan', () => {
  const needs = ({ path }: Endpoint) => [
    ...(path.startsWith('/customers') && !path.includes('/store_credit') ? ['Customers'] : []),
    ...(path.includes('/loyalty') ? ['Loyalty'] : []),
  ];
  const tried = served.filter((endpoint) => endpoint.access.scope !== '' || needs(endpoint).length > 0);

  test.each([[[]], [['customers']], [['loyalty']]])(
    'with %j alone all else of customers and loyalty is a 403 with its code',
    async (features) => {
      const store = await world.newStore(['developer_api', ...features]);
      const own = await world.newKey(store);
      for (const endpoint of tried) {
        const callers = [
          ...(endpoint.access.staffOnly ? [] : [{ key: own }]),
          ...(endpoint.access.keyOnly ? [] : [{ token: store.token }]),
        ];
        const missing = needs(endpoint).find((name) => !(features as string[]).includes(name.toLowerCase()));
        for (const caller of callers) {
          const { status, body } = await send(endpoint, caller);
          const refused = { error: `${missing} ${texts.notInPlan}`, code: 'feature_not_enabled' };
          if (missing) expect([endpoint.path, status, body]).toEqual([endpoint.path, 403, refused]);
          else expect([endpoint.path, body?.code]).toEqual([endpoint.path, undefined]);
        }
      }
    },
  );

  test('D1: it is looked at after the scope, and after what no key may', async () => {
    const key = await world.newKey(await world.newStore(['developer_api']), { scopes: ['sales:read'] });
    const error = async (method: string, path: string) => (await world.call(method, path, { key })).body.error;
    expect(await error('GET', '/customers')).toBe('Insufficient scope. Required: customers:read');
    expect(await error('DELETE', '/loyalty_tiers/1')).toBe(texts.readOnly);
    expect(await error('DELETE', '/customers/1/loyalty/earn')).toBe(texts.loyaltyPoints);
  });
});

describe('Rules 6: "402 when the store has no active POS subscription", or no onboarding', () => {
  test.each([
    [{ posSubscription: 'inactive' as const }, { posSubscription: 'active' as const }, 'pos_plan_required', texts.noSubscription],
    [{ onboarding: 'pending' as const }, { onboarding: 'done' as const }, 'onboarding_incomplete', texts.onboardingUnfinished],
  ])('%j answers every key request with 402, in force at once; %j lifts it (D20, D188)', async (off, on, code, error) => {
    const store = await world.newStore();
    const own = await world.newKey(store);
    expect((await world.call('GET', '/products', { key: own })).status).toBe(200);
    await world.setStore(store, off);
    for (const path of ['/products', '/nothing', '/api_keys']) {
      const answer = await world.call('GET', path, { key: own });
      expect([answer.status, answer.body]).toEqual([402, { error, code }]);
    }
    await world.setStore(store, on);
    expect((await world.call('GET', '/products', { key: own })).status).toBe(200);
  });
});
