/** Lists that are read by cursors (D284): nothing that was there all along is skipped or seen twice, whatever happens meanwhile. */
import { describe, expect, test } from '@jest/globals';
import { type Access, endpoints, type PagedList } from '@store/contract';
import fc from 'fast-check';
import { useReceiver, useWorld } from '../kit/use.ts';
import type { Request } from '../kit/world.ts';
import { fillStore } from './filled-store.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const key = await world.newKey(world.store);

const cursorIn = (link: string | null) => (link === null ? undefined : /^<(\/api\/v1\/[^>]+)>; rel="next"$/.exec(link)![1]!);

const untouched = async (): Promise<void> => undefined;

/** The ids of a list, as the links lead from page to page; `between` runs before each further page. */
async function walk(list: string, path: string, between = untouched, as: Request = { token }) {
  const ids: number[] = [];
  for (let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}after=`, page = 1; next; page++) {
    const answer = await world.call('GET', next, as);
    if (answer.status !== 200) throw new Error(`${next}: ${answer.status} ${answer.text}`);
    const rows = (answer.body[list] ?? answer.body.data) as { id: number }[];
    expect(Object.keys(answer.body.pagination)).toEqual(['current_page', 'per_page', 'total_count', 'total_pages']);
    expect(answer.body.pagination.current_page).toBe(page);
    // Only the first page may be empty, unless what was to follow was removed meanwhile.
    if (page > 1 && between === untouched) expect(rows.length).toBeGreaterThan(0);
    ids.push(...rows.map(({ id }) => id));
    next = cursorIn(answer.headers.get('link'))?.replace('/api/v1', '');
    if (next) await between();
  }
  return ids;
}

const { staff } = world;
const { token } = world.store;
const webhook_subscription = { url: receiver.url, events: ['product.created'] };
expect((await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } })).status).toBe(201);
await fillStore(world);
for (const opening_float of [10, 20]) {
  const { cash_drawer_session } = await staff('POST', '/cash_drawer_sessions', { opening_float });
  await staff('POST', `/cash_drawer_sessions/${cash_drawer_session.id}/close`, { counted: opening_float });
}
for (const name of ['B', 'A']) await staff('POST', '/suppliers', { supplier: { name } });
// What lists show of events, such as the audit trail, is there before it is compared.
await world.settled();

const lists = endpoints().flatMap(({ list, path, access }) => (list?.walks ? [{ list, path, access }] : []));

/** The path of a record that has rows. */
async function filled(path: string): Promise<string> {
  const tables = {
    '/customers': 'customers.customers',
    '/gift_cards': 'sales.gift_cards',
    '/webhook_subscriptions': 'webhooks.subscriptions',
  };
  const [, table] = Object.entries(tables).find(([resource]) => path.startsWith(`${resource}/`)) ?? [];
  if (!table) return path;
  const { rows } = await world.database.query(`select min(id) as id from ${table} where store_id = $1`, [world.store.id]);
  return path.replace('{id}', rows[0].id);
}

/** Who may read the list. */
const readerOf = ({ keyOnly, role }: Access): Request => (keyOnly || role === '' ? { key } : { token });

describe('every list with pages', () => {
  test('are those that integrators read', () => {
    expect(lists.map(({ path }) => path).sort()).toEqual([
      '/audit_entries',
      '/cash_drawer_sessions',
      '/customers',
      '/customers/{id}/loyalty/transactions',
      '/customers/{id}/store_credit/transactions',
      '/gift_cards/{id}/transactions',
      '/products',
      '/purchase_orders',
      '/sales',
      '/stock_adjustments',
      '/suppliers',
      '/webhook_subscriptions/{id}/deliveries',
    ]);
  });

  test.each(lists.map(({ list, path, access }) => [path, list, access] as const))(
    '%s gives the same rows by cursors as by pages, each once',
    async (template, { name }: PagedList, access) => {
      const path = await filled(template);
      const as = readerOf(access);
      const { body } = await world.call('GET', `${path}?per_page=100`, as);
      const ids = (body[name] ?? body.data).map(({ id }: { id: number }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(body.pagination.total_pages).toBe(1);
      const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);
      for (const size of [1, 2, ids.length, 100])
        expect(sorted(await walk(name, `${path}?per_page=${size}`, undefined, as))).toEqual(sorted(ids));
    },
  );
});

describe('the cursor', () => {
  test('goes with the filters, and its Link repeats them; a page beside it is ignored', async () => {
    const answer = await world.call('GET', '/products?search=a&per_page=1&page=7&after=', { key });
    const next = cursorIn(answer.headers.get('link'))!;
    expect(next).toMatch(/^\/api\/v1\/products\?search=a&per_page=1&after=[\w-]+$/);
    const named = async (ids: number[]) => Promise.all(ids.map(async (id) => (await staff('GET', `/products/${id}`)).product.name));
    expect((await named(await walk('products', '/products?search=basket&per_page=1'))).sort()).toEqual(['Basket']);
    for (const filter of ['category=garden', 'brand=Lumen']) {
      const { products } = await staff('GET', `/products?${filter}`);
      expect(await walk('products', `/products?${filter}&per_page=1`)).toEqual(products.map(({ id }: { id: number }) => id));
    }
    expect((await world.call('GET', '/products?page=1', { key })).headers.get('link')).toBeNull();
  });

  test.each(['x', '0', 'MS4x', Buffer.from('1.1').toString('base64url'), 'null', '%00', 'a'.repeat(5_000)])(
    'that no answer gave, such as "%s", is refused by every list',
    async (text) => {
      for (const { path, access } of lists) {
        const answer = await world.call('GET', `${await filled(path)}?after=${text}`, readerOf(access));
        expect([path, answer.status, answer.body]).toEqual([
          path,
          422,
          { error: 'after must be empty or the cursor of an earlier answer' },
        ]);
      }
    },
  );

  test('beside a page is refused with handling=strict', async () => {
    for (const after of ['', 'MQ']) {
      const headers = { Prefer: 'handling=strict' };
      const answer = await world.call('GET', `/products?page=2&after=${after}`, { key, headers });
      expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining('"page" has no effect beside "after')]);
      expect((await world.call('GET', '/products?after=', { key, headers })).status).toBe(200);
    }
  });

  test('of another store shows nothing of it', async () => {
    const other = await world.newStore();
    const { headers } = await world.call('GET', '/products?per_page=1&after=', { token });
    const next = cursorIn(headers.get('link'))!.replace('/api/v1', '');
    expect((await world.call('GET', next, { token: other.token })).body.products).toEqual([]);
  });
});

/** What happens between two pages, to the record that `at` picks of those that are there. */
type Act = ['make' | 'change' | 'remove', at: number];

interface Kind {
  list: string;
  path: string;
  make(): Promise<number>;
  change(id: number): Promise<unknown>;
  remove?(id: number): Promise<unknown>;
}

let names = 0;
const anyName = () => `${'zambk'[names++ % 5]} ${names}`;
const product = async () => (await staff('POST', '/products', { product: { name: anyName(), price: '1.00' } })).product.id;
let sold: number;

const kinds: Kind[] = [
  {
    list: 'products',
    path: '/products',
    make: product,
    change: (id) => staff('PATCH', `/products/${id}`, { product: { name: anyName() } }),
    remove: (id) => staff('DELETE', `/products/${id}`),
  },
  {
    list: 'products',
    path: '/products?search=m',
    make: async () => (await staff('POST', '/products', { product: { name: `m ${anyName()}` } })).product.id,
    change: (id) => staff('PATCH', `/products/${id}`, { product: { name: `${anyName()} m` } }),
    remove: (id) => staff('PATCH', `/products/${id}`, { product: { active: false } }),
  },
  {
    list: 'customers',
    path: '/customers',
    make: async () => (await staff('POST', '/customers', { customer: { name: anyName() }, force_create: true })).customer.id,
    change: (id) => staff('PATCH', `/customers/${id}`, { customer: { name: anyName() } }),
    remove: (id) => staff('DELETE', `/customers/${id}`),
  },
  {
    list: 'suppliers',
    path: '/suppliers',
    make: async () => (await staff('POST', '/suppliers', { supplier: { name: anyName() } })).supplier.id,
    change: (id) => staff('PATCH', `/suppliers/${id}`, { supplier: { name: anyName() } }),
    remove: (id) => staff('DELETE', `/suppliers/${id}`),
  },
  {
    list: 'sales',
    path: '/sales?period=today',
    make: async () => {
      sold ??= await product();
      return (await staff('POST', '/sales', { sale: { line_items: [{ product_id: sold, quantity: 1 }] } })).sale.id;
    },
    change: (id) => world.call('PATCH', `/sales/${id}`, { token, body: { sale: { status: 'voided', void_reason: 'x' } } }),
  },
  {
    list: 'stock_adjustments',
    path: '/stock_adjustments',
    make: async () => {
      sold ??= await product();
      const body = { product_id: sold, adjustment_type: 'receive', quantity_change: 1 };
      return (await staff('POST', '/stock_adjustments', body)).stock_adjustment.id;
    },
    change: async () => undefined,
  },
];

const act = fc.tuple(fc.constantFrom('make' as const, 'change' as const, 'change' as const, 'remove' as const), fc.nat(1_000));
const history = fc.record({ size: fc.integer({ min: 1, max: 4 }), acts: fc.array(fc.array(act, { maxLength: 3 }), { maxLength: 6 }) });

describe('while records change, appear and vanish', () => {
  test.each(kinds.map((kind) => [kind.path, kind] as const))(
    '%s',
    async (_path, kind) => {
      const there: number[] = await walk(kind.list, `${kind.path}${kind.path.includes('?') ? '&' : '?'}per_page=100`);
      while (there.length < 8) there.push(await kind.make());
      await fc.assert(
        fc.asyncProperty(history, async ({ size, acts }) => {
          const stayed = new Set(there);
          const turns = [...acts];
          const between = async () => {
            world.clock.advance(1_000);
            for (const turn of turns.shift() ?? []) await happen(kind, turn, there, stayed);
          };
          const seen = await walk(kind.list, `${kind.path}${kind.path.includes('?') ? '&' : '?'}per_page=${size}`, between);
          expect(new Set(seen).size).toBe(seen.length);
          expect([...stayed].filter((id) => !seen.includes(id))).toEqual([]);
          while (there.length < 8) there.push(await kind.make());
        }),
        { numRuns: 8 },
      );
    },
    120_000,
  );
});

async function happen(kind: Kind, [what, at]: Act, there: number[], stayed: Set<number>): Promise<void> {
  const id = there[at % there.length];
  if (what === 'make' || id === undefined) there.push(await kind.make());
  else if (what === 'change' || !kind.remove) await kind.change(id);
  else {
    await kind.remove(id);
    there.splice(there.indexOf(id), 1);
    stayed.delete(id);
  }
}
