import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDb } from '@store/db';
import { capturingLog, type TestDatabase } from '@store/testbed';
import { countedDay, type ReadSale } from '@store/testbed/day-report';
import { makeStore, newSecrets } from '../../tests/kit/stores.ts';
import { migratedDatabase } from '../dev/migrated-database.ts';
import { type Services, startServices } from '../local/services.ts';
import { type Client, eachOf, keyClient, staffClient } from './client.ts';
import { makeHistory } from './history/demo-history.ts';
import { tradeOf } from './history/invoices.ts';
import { type LoadedDemo, loadDemo } from './load.ts';
import { readTransactions } from './transactions.ts';
import { productsBySku } from './upkeep.ts';

/** A load takes a tenth of it on an idle machine. */
const loadMs = 180_000;
const login = { email: 'admin@demo.example', password: 'correct horse battery' };
const secondLogin = { email: 'admin@second.example', password: 'correct horse battery' };
const steps: string[] = [];
const progress = { step: (name: string) => void steps.push(name), part: () => undefined, done: () => void steps.push('done') };

let database: TestDatabase;
let services: Services;
let baseUrl: string;
let loaded: LoadedDemo;
let key: Client;
let second: Client;

beforeAll(async () => {
  database = await migratedDatabase();
  services = await startServices({ DATABASE_URL: database.url, GATEWAY_PORT: '0', ...newSecrets() }, { log: capturingLog().log });
  baseUrl = `http://${services.address}`;
  const adminOf = ({ email, password }: typeof login) => ({ adminEmail: email, adminPassword: password });
  await makeStore(database.url, { name: 'Gifts', timeZone: 'Europe/London', currency: '£', ...adminOf(login) });
  const features = ['developer_api', 'cannabis', 'stock_locations'];
  await makeStore(database.url, { name: 'By weight', timeZone: 'America/Toronto', features, ...adminOf(secondLogin) });
  loaded = await loadDemo({ baseUrl, demo: login, second: secondLogin, progress });
  key = keyClient(baseUrl, loaded.apiKey);
  second = keyClient(baseUrl, loaded.secondApiKey);
}, loadMs);

afterAll(async () => {
  await services?.stop();
  await database?.close();
});

const total = async (client: Client, query: string): Promise<number> =>
  (await client.get<{ pagination: { total_count: number } }>(`/products?${query}`)).pagination.total_count;

describe('the demo store (D161): every filter finds something', () => {
  test.each([
    'search=lantern',
    'category=christmas',
    'category=lanterns-lights',
    'category=store:general',
    'brand=Retrospot',
    'updated_since=2020-01-01',
  ])('GET /products?%s', async (query) => {
    expect(await total(key, query)).toBeGreaterThan(0);
  });

  test('the tree has two levels; products are on sale, varied, out of stock, weighed', async () => {
    const { data: tree } = await key.get<{ data: { subcategories: { subcategories: object[] }[] }[] }>('/categories');
    expect(tree.length).toBeGreaterThan(5);
    expect(tree.flatMap((top) => top.subcategories).length).toBeGreaterThan(20);
    const products = [...(await productsBySku(key)).values()] as unknown as Record<string, unknown>[];
    for (const [field, value] of [
      ['on_sale', true],
      ['has_variations', true],
      ['in_stock', false],
      ['unit_type', 'kilogram'],
      ['exclude_from_promotions', true],
    ] as const) {
      expect([field, products.some((product) => product[field] === value)]).toEqual([field, true]);
    }
    expect(products.some((product) => (product.additional_barcode_codes as string[]).length > 0)).toBe(true);
  });

  test('both stores have a province, and each of their categories a store type', async () => {
    interface Category {
      store_type: string | null;
      subcategories: Category[];
    }
    const all = (tree: Category[]): Category[] => tree.flatMap((category) => [category, ...all(category.subcategories)]);
    const typesOf = async (client: Client) =>
      new Set(all((await client.get<{ data: Category[] }>('/categories')).data).map((category) => category.store_type));
    const provinceOf = async (client: Client) => (await client.get<{ data: { province: string } }>('/settings')).data.province;
    expect([await provinceOf(key), await provinceOf(second)]).toEqual(['England', 'Ontario']);
    expect([await typesOf(key), await typesOf(second)]).toEqual([new Set(['general']), new Set(['cannabis', 'general'])]);
  });

  test('its sales are taxed, so that an export of a day has an account for it', async () => {
    const { data } = await key.get<{ data: { tax: object } }>('/settings');
    expect(data.tax).toMatchObject({ mode: 'single', rate: '20.00', name: 'VAT' });
  });

  test('a revenue center hides what is sold elsewhere only', async () => {
    const staff = await staffClient(baseUrl, login);
    const { revenue_centers: centers } = await staff.get<{ revenue_centers: { id: number }[] }>('/revenue_centers');
    const all = await total(key, 'per_page=1');
    expect(centers).toHaveLength(2);
    for (const { id } of centers) expect(await total(key, `revenue_center_id=${id}`)).toBeLessThan(all);
  });

  test('a product is inactive and another is deleted', async () => {
    const staff = await staffClient(baseUrl, login);
    const { audit_entries: entries } = await staff.get<{ audit_entries: { action: string; resource_id: number }[] }>(
      '/audit_entries?resource_type=Product&per_page=100',
    );
    const gone = entries.find((entry) => entry.action === 'product.delete');
    await expect(key.get(`/products/${gone?.resource_id}`)).rejects.toThrow('404');
    const db = await openDb({ url: database.url, schema: 'catalog', entities: [], poolMax: 1 });
    const rows = await db.read<{ inactive: string }>('select count(*) as inactive from catalog.products where not active');
    await db.close();
    expect(rows).toEqual([{ inactive: '1' }]);
  });

  test('the second store sells by weight, has cannabis and stock at two locations', async () => {
    expect(await total(second, 'category=store:cannabis')).toBeGreaterThan(0);
    expect(await total(second, 'category=store:general')).toBeGreaterThan(0);
    const flower = (await productsBySku(second)).get('FL-001') as unknown as Record<string, unknown>;
    expect(flower).toMatchObject({ unit_type: 'gram', strain_type: 'indica', current_stock: 562.75 });
    const { data: rows } = await second.get<{ data: { warehouse_location: { name: string } }[] }>('/stock_adjustments');
    expect(new Set(rows.map((row) => row.warehouse_location.name))).toEqual(new Set(['Sales floor', 'Vault']));
  });

  test('progress is reported step by step', () => {
    expect(steps.at(0)).toBe('reading the transactions');
    expect(steps.at(-1)).toBe('done');
  });
});

test(
  'a load that was cut off runs again: nothing twice, the lost key is revoked',
  async () => {
    const counts = async (client: Client) => [
      await total(client, 'per_page=1'),
      (await client.get<{ pagination: { total_count: number } }>('/stock_adjustments?per_page=1')).pagination.total_count,
      (await client.get<{ data: object[] }>('/categories')).data,
      (await client.get<{ data: object[] }>('/brands')).data.length,
    ];
    const before = [await counts(key), await counts(second)];
    const again = await loadDemo({ baseUrl, demo: login, second: secondLogin, progress });
    const after = [await counts(keyClient(baseUrl, again.apiKey)), await counts(keyClient(baseUrl, again.secondApiKey))];
    expect(after).toEqual(before);
    expect(again.productId).toBe(loaded.productId);
    await expect(key.get('/products')).rejects.toThrow('401');
    loaded = again;
    key = keyClient(baseUrl, again.apiKey);
  },
  loadMs,
);

describe('the past of the demo store (D161): every filter finds something', () => {
  /** Some sixty invoices, enough for each kind. */
  const rowsOfData = 1_500;
  /** One an hour around a day on which clocks change. */
  const invoicesMoved = 60;
  const sell = () => {
    const demo = { base_url: baseUrl, api_key: loaded.apiKey, staff: login };
    return makeHistory(demo, 'shifted', new AbortController().signal, progress, readTransactions().slice(0, rowsOfData));
  };
  const count = async (path: string): Promise<number> =>
    (await key.get<{ pagination: { total_count: number } }>(path)).pagination.total_count;
  beforeAll(async () => {
    const tax = { mode: 'split', gst_rate: '5', pst_rate: '9.975' };
    await (await staffClient(baseUrl, login)).patch('/settings', { settings: { tax } });
    await sell();
  }, loadMs);

  test.each([
    'period=today',
    'period=week&status=completed',
    'period=week&status=voided',
    'status=pending',
    'period=today&status=ready',
    'fulfillment_method=local_delivery',
    'fulfillment_method=pickup',
    'search=5363',
  ])('GET /sales?%s', async (query) => {
    expect(await count(`/sales?${query}`)).toBeGreaterThan(0);
  });

  test.each(['pending', 'confirmed', 'shipped', 'partially_received', 'received', 'cancelled'])(
    'a purchase order is %s',
    async (status) => {
      expect(await count(`/purchase_orders?status=${status}`)).toBeGreaterThan(0);
    },
  );

  test('purchase orders have every variance', async () => {
    const { data } = await key.get<{ data: { line_items: { variance_status: string }[] }[] }>('/purchase_orders');
    const found = new Set(data.flatMap(({ line_items }) => line_items.map(({ variance_status }) => variance_status)));
    expect([...found].sort()).toEqual(['ok', 'over', 'pending', 'short', 'unexpected']);
  });

  test('customers have spent, have points, and some an address or a birthday', async () => {
    const { data } = await key.get<{ data: Record<string, unknown>[] }>('/customers?per_page=100');
    for (const field of ['address', 'date_of_birth', 'loyalty_tier'])
      expect([field, data.some((customer) => field in customer)]).toEqual([field, true]);
    expect(data.filter(({ address }) => address === undefined).length).toBeGreaterThan(0);
  });

  test('three tiers, three rewards, gift cards in every state, store credit', async () => {
    expect((await key.get<{ data: object[] }>('/loyalty_tiers')).data).toHaveLength(3);
    expect((await key.get<{ data: object[] }>('/loyalty_rewards')).data).toHaveLength(3);
    const cards = ['DEMO-ACTIVE', 'DEMO-HELD', 'DEMO-REDEEMED', 'DEMO-CANCELLED', 'DEMO-EXPIRED'];
    const found = await Promise.all(cards.map((card) => key.get<{ data: { status: string } }>(`/gift_cards/lookup/${card}`)));
    expect(found.map(({ data }) => data.status)).toEqual(['active', 'active', 'redeemed', 'cancelled', 'expired']);
    expect((await key.get<{ data: { credits: object[] } }>('/store_credits/snapshot')).data.credits).toHaveLength(3);
  });

  /** Every sale with its payments and taxes; the report of each day on which one was completed or voided is counted from them. */
  const reportsAgree = async (timeZone: string) => {
    const staff = await staffClient(baseUrl, login);
    const page = (n: number) =>
      staff.get<{ sales: (ReadSale & { id: number })[] }>(`/sales?start_date=2010-01-01&end_date=2100-01-01&per_page=100&page=${n}`);
    const pages = [await page(1)];
    while (pages.at(-1)!.sales.length > 0) pages.push(await page(pages.length + 1));
    const sales = await eachOf(
      pages.flatMap((one) => one.sales),
      1,
      async (sale) => ({ ...sale, ...(await staff.get<Pick<ReadSale, 'payments' | 'taxes'>>(`/sales/${sale.id}/payments`)) }),
    );
    const day = new Intl.DateTimeFormat('en-CA', { timeZone });
    const times = sales.flatMap(({ completed_at, voided_at }) => [completed_at, voided_at]).filter((at) => at !== undefined);
    let counted = 0;
    const dates = new Set(times.map((at) => day.format(new Date(at))));
    for (const date of dates) {
      const report = await staff.get<{ sales: { count: number } }>(`/reports/day?date=${date}`);
      expect(report).toMatchObject(countedDay(date, timeZone, sales));
      counted += report.sales.count;
    }
    expect(counted).toBeGreaterThan(50);
    expect(counted).toBe(sales.filter(({ completed_at }) => completed_at !== undefined).length);
    expect(sales.some(({ voided_at }) => voided_at !== undefined)).toBe(true);
    return dates;
  };

  test(
    "issue: each real day's report, payments and sales agree to the cent",
    async () => {
      await reportsAgree('Europe/London');
    },
    loadMs,
  );

  const hourMs = 3_600_000;
  test.each([
    ['America/New_York', '2010-11-07'],
    ['Europe/London', '2011-03-27'],
    ['Australia/Lord_Howe', '2011-04-03'],
  ])(
    'issue: so they do in %s where clocks change on %s, with real invoices',
    async (timezone, date) => {
      const staff = await staffClient(baseUrl, login);
      await staff.patch('/settings', { settings: { timezone } });
      const products = new Map([...(await productsBySku(key))].filter(([, { block_manual_discounts }]) => !block_manual_discounts));
      const invoices = tradeOf(readTransactions(), new Set(products.keys())).sold.slice(0, invoicesMoved);
      const noon = Date.parse(`${date}T12:00:00Z`);
      for (const [n, { lines }] of invoices.entries()) {
        const line_items = lines.map(({ sku, quantity, pence }) => ({
          product_id: products.get(sku)!.id,
          quantity,
          unit_price: (pence / 100).toFixed(2),
        }));
        const completed_at = new Date(noon + (n - invoicesMoved / 2) * hourMs).toISOString();
        const payment_method = ['debit', 'credit', 'e_transfer'][n % 3];
        const sale = { line_items, completed_at, payment_method, ...(n % 4 === 0 && { discount_amount: '0.37' }) };
        const { id } = (await staff.post<{ sale: { id: number } }>('/sales', { sale })).sale;
        if (n % 9 === 0) await staff.patch(`/sales/${id}`, { sale: { status: 'voided' } });
      }
      expect(await reportsAgree(timezone)).toContain(date);
      await staff.patch('/settings', { settings: { timezone: 'Europe/London' } });
    },
    loadMs,
  );

  test(
    'loaded again, nothing is sold twice',
    async () => {
      const before = await Promise.all([count('/sales?period=month'), count('/customers'), count('/purchase_orders')]);
      await sell();
      expect(await Promise.all([count('/sales?period=month'), count('/customers'), count('/purchase_orders')])).toEqual(before);
    },
    loadMs,
  );
});
