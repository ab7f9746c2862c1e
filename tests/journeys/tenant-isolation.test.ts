/** One store never sees, changes or learns of another's records (P23, row 23). */
import { describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints } from '@store/contract';
import { until } from '@store/testbed/until';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';
import { changedBy } from './database-text.ts';

/** Ids of the other store by the first segment of the path. */
const foreign: Record<string, number> = {};
const unknown = 987_654_321;
/** The other store's record and an unknown one, where the path names the record by something else than its id. */
const otherNames: Record<string, [theirs: string, unknown: string]> = {
  '/customers/lookup_by_code/{code}': ['', 'C00000'],
  '/customers/lookup_by_card/{card_number}': ['THEIR-CARD', 'NO-CARD'],
  '/gift_cards/lookup/{card_number}': ['THEIR-GIFT', 'NO-GIFT'],
  '/store_credits/customer/{customer_id}': ['', String(unknown)],
};

const world = await useWorld({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
const [mine, theirs] = [await world.newStore(), await world.newStore()];
const [myKey, theirKey] = [await world.newKey(mine), await world.newKey(theirs)];
const make = async (path: string, wrapper: string, fields: object) => {
  const made = await world.create(`/${path}`, { [wrapper]: fields }, theirs);
  foreign[path] = made.id;
  return made;
};
await make('products', 'product', { name: 'Theirs', sku: 'THEIRS', barcode: '555' });
await make('brands', 'brand', { name: 'Their brand' });
await make('categories', 'category', { name: 'Their category' });
await make('promotions', 'promotion', { name: 'P', discount_type: 'percentage', value: 10, product_ids: [foreign.products] });
await make('revenue_centers', 'revenue_center', { name: 'Their center' });
const line_items = [{ product_id: foreign.products, quantity_ordered: 1, unit_price: 1 }];
await make('purchase_orders', 'purchase_order', { line_items });
await make('suppliers', 'supplier', { name: 'Their supplier' });
await make('warehouse_locations', 'warehouse_location', { name: 'Their back room', kind: 'back' });
const customer = await make('customers', 'customer', { name: 'Their customer', loyalty_card_number: 'THEIR-CARD' });
otherNames['/customers/lookup_by_code/{code}']![0] = customer.customer_code;
otherNames['/store_credits/customer/{customer_id}']![0] = customer.id;
await make('loyalty_tiers', 'loyalty_tier', { name: 'Their tier', level: 1 });
const reward = { name: 'Their reward', reward_type: 'discount', points_required: 10, discount_amount: 1 };
await make('loyalty_rewards', 'loyalty_reward', reward);
await make('sales', 'sale', { line_items: [{ product_id: foreign.products, quantity: 1 }] });
foreign.cash_drawer_sessions = (await world.staff('POST', '/cash_drawer_sessions', { opening_float: 1 }, theirs)).cash_drawer_session.id;
await make('gift_cards', 'gift_card', { amount: 10, card_number: 'THEIR-GIFT' });
await make('api_keys', 'api_key', { name: 'K', scopes: ['sales:read'] });
await make('staff_users', 'staff_user', { name: 'S', email: 's@theirs.example', password: 'correct horse battery', role: 'clerk' });
foreign.staff_sessions = (await world.staff('GET', '/staff_sessions', undefined, theirs)).staff_sessions[0].id;
await subscribe();

/** A subscription of the other store with one failed attempt: nothing listens on that port. */
async function subscribe(): Promise<void> {
  const subscription = { url: 'https://127.0.0.1:1024/hooks', events: ['product.updated'] };
  const created = await world.call('POST', '/webhook_subscriptions', { key: theirKey, body: { webhook_subscription: subscription } });
  foreign.webhook_subscriptions = created.body.data.id;
  foreign.webhook_monitor = created.body.data.id;
  await world.call('PATCH', `/products/${foreign.products}`, { token: theirs.token, body: { product: { description: 'Told' } } });
  await world.settled();
  const path = `/webhook_monitor/${foreign.webhook_monitor}`;
  await until(async () => {
    const [attempt] = (await world.call('GET', path, { token: theirs.token })).body.recent_deliveries;
    foreign.deliveries = attempt?.delivery_id;
    return attempt !== undefined;
  }, 60_000);
}

const served = endpoints();
const withId = served.filter(({ path }) => path.includes('{id}'));

const bodies: Record<string, unknown> = {
  products: { product: { name: 'Taken over' } },
  brands: { brand: { name: 'Taken over' } },
  categories: { category: { name: 'Taken over' } },
  promotions: { promotion: { name: 'Taken over' } },
  revenue_centers: { revenue_center: { name: 'Taken over' } },
  warehouse_locations: { warehouse_location: { name: 'Taken over' } },
  staff_users: { staff_user: { name: 'Taken over' } },
};

/** The segment of a path that names the kind of the id. */
const familyOf = (path: string) => path.split('/')[path.includes('/deliveries/') ? 2 : 1]!;

/** A valid body, so that only the id is wrong. */
function bodyOf(endpoint: Endpoint): unknown {
  if (!['POST', 'PATCH', 'PUT'].includes(endpoint.httpMethod)) return undefined;
  if (endpoint.access.passwordAgain) return { password: mine.password };
  return bodies[familyOf(endpoint.path)] ?? JSON.parse(endpoint.example ?? '{}');
}

/** Everything of an answer that a client sees, except the request id. */
function seen(answer: Answer): unknown {
  const headers = [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status: answer.status, text: answer.text, headers };
}

describe("every endpoint with an id: another store's is the 404 of an unknown one", () => {
  test('the matrix tries every family of paths with an id', () => {
    expect(new Set(withId.map(({ path }) => familyOf(path)))).toEqual(new Set(Object.keys(foreign)));
  });

  test.each(
    [...withId, ...served.filter(({ path }) => path in otherNames)].map(
      (endpoint) => [`${endpoint.httpMethod} ${endpoint.path}`, endpoint] as const,
    ),
  )('%s', async (_name, endpoint: Endpoint) => {
    const [theirs, none] = otherNames[endpoint.path] ?? [foreign[familyOf(endpoint.path)]!, unknown];
    const body = bodyOf(endpoint);
    const call = (id: number | string) =>
      world.call(
        endpoint.httpMethod,
        endpoint.path.replace(/\{\w+\}/, String(id)),
        endpoint.access.staffOnly ? { token: mine.token, body } : { key: myKey, body },
      );
    const others = endpoint.path in otherNames ? [none] : [none, '0', 'x', '9007199254740993'];
    const { answer: answers, changed } = await changedBy(world, async () => {
      const asked: unknown[] = [];
      for (const one of [theirs, ...others]) asked.push(seen(await call(one)));
      return asked;
    });
    expect(answers[0]).toMatchObject({ status: 404 });
    for (const answer of answers) expect(answer).toEqual(answers[1]);
    expect(changed).toEqual([]);
  });
});

test('"only the creating key\'s own subscriptions are visible or actionable"', async () => {
  const sibling = await world.newKey(theirs);
  const own = endpoints().filter(({ path }) => path.startsWith('/webhook_subscriptions/{id}'));
  expect(own.length).toBeGreaterThan(3);
  for (const endpoint of own) {
    const call = (id: number) =>
      world.call(endpoint.httpMethod, endpoint.path.replace('{id}', String(id)), { key: sibling, body: bodyOf(endpoint) });
    const answer = await call(foreign.webhook_subscriptions!);
    expect([endpoint.path, answer.status]).toEqual([endpoint.path, 404]);
    expect(seen(answer)).toEqual(seen(await call(unknown)));
  }
  expect((await world.call('GET', '/webhook_subscriptions', { key: sibling })).body.data).toEqual([]);
});

describe('ids of another store inside a request', () => {
  const post = (path: string, body: unknown) => world.call('POST', path, { key: myKey, body });

  test('POST /stock_adjustments: their product and location are as unknown ones', async () => {
    const adjust = (productId: number, more = {}) =>
      post('/stock_adjustments', { product_id: productId, adjustment_type: 'receive', quantity_change: 1, ...more });
    expect(seen(await adjust(foreign.products!))).toEqual(seen(await adjust(unknown)));
    const own = (await post('/products', { product: { name: 'Mine' } })).body.data.id;
    const theirs = await adjust(own, { warehouse_location_id: foreign.warehouse_locations });
    expect(theirs.status).toBe(422);
    expect(seen(theirs)).toEqual(seen(await adjust(own, { warehouse_location_id: unknown })));
  });

  test('row 47: bulk_update treats them as not found and never updates them', async () => {
    const update = (ids: number[]) =>
      world.call('PATCH', '/products/bulk_update', { key: myKey, body: { product_ids: ids, updates: { price: 66 } } });
    const answer = await update([foreign.products!]);
    expect([answer.status, answer.body]).toEqual([404, { error: 'No products found' }]);
    const own = (await post('/products', { product: { name: 'Mine too' } })).body.data.id;
    expect((await update([own, foreign.products!])).body.data.updated_count).toBe(1);
    expect((await world.call('GET', `/products/${foreign.products}`, { key: theirKey })).body.data.price).toBe('0.00');
  });

  test('a sku of theirs is free here: bulk_upsert creates a product of this store', async () => {
    const answer = await post('/products/bulk_upsert', { products: [{ sku: 'THEIRS', name: 'Mine' }] });
    expect(answer.body.data).toMatchObject({ created: 1, updated: 0 });
    expect((await world.call('GET', `/products/${foreign.products}`, { key: theirKey })).body.data.name).toBe('Theirs');
  });

  test("their brand_id is an unknown one's 422; their names filter nothing in", async () => {
    const create = (brandId: number) => post('/products', { product: { name: 'Branded', brand_id: brandId } });
    const answer = await create(foreign.brands!);
    expect(answer.status).toBe(422);
    expect(seen(answer)).toEqual(seen(await create(unknown)));
    for (const query of ['brand=Their brand', 'category=their-category', 'search=THEIRS&category=their-category']) {
      expect((await world.call('GET', `/products?${query}`, { key: myKey })).body.data).toEqual([]);
    }
  });

  test('lists, searches and filters show nothing of theirs', async () => {
    for (const path of [
      '/products?per_page=100',
      '/products?search=555',
      '/products?updated_since=2000-01-01',
      '/brands',
      '/categories',
      '/settings',
    ]) {
      expect((await world.call('GET', path, { key: myKey })).text).not.toContain('Their');
    }
    const ledger = await world.call('GET', `/stock_adjustments?product_id=${foreign.products}`, { key: myKey });
    expect(ledger.body).toMatchObject({ data: [], pagination: { total_count: 0 } });
    for (const path of ['/api_keys', '/staff_users', '/promotions', '/revenue_centers', '/warehouse_locations', '/audit_entries']) {
      expect((await world.call('GET', path, { token: mine.token })).text).not.toMatch(/Their|theirs/);
    }
  });
});

describe('"The store is determined by the key, not by the host name used"', () => {
  test('a store_id in query, body or headers, and the Host, change nothing', async () => {
    const headers: Record<string, string> = {
      'X-Store-Id': String(theirs.id),
      'Store-Id': String(theirs.id),
      'caller-bin': 'CAE=',
      'grpc-metadata-caller-bin': 'CAE=',
      'X-Forwarded-Host': 'theirs.example',
    };
    const query = `store_id=${theirs.id}`;
    expect((await world.call('GET', `/products/${foreign.products}?${query}`, { key: myKey, headers })).status).toBe(404);
    expect((await world.call('GET', `/products?${query}&search=THEIRS`, { key: myKey, headers })).text).not.toContain('Theirs');
    const body = { store_id: theirs.id, product: { name: 'Planted', store_id: theirs.id, sku: 'PLANT' } };
    const created = await world.call('POST', `/products?${query}`, { key: myKey, body, headers });
    expect(created.status).toBe(201);
    const { rows } = await world.database.query(`select store_id::int as id from catalog.products where sku = 'PLANT'`);
    expect(rows).toEqual([{ id: mine.id }]);
  });
});
