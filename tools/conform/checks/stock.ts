/** The stock ledger. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { newProduct, productScopes } from '../made.ts';
import { holds, same } from '../outcome.ts';

const { read, write } = areaOf('stock');

const reads = ['inventory:read'];
const writes = ['inventory:write', ...productScopes];
const list = '/stock_adjustments?per_page=100';

interface LedgerRow {
  id: number;
  product_id: number;
  adjustment_type: string;
  quantity_change: number;
  quantity_before: number;
  quantity_after: number;
  created_at: string;
}
const rowsOf = (kit: Kit): Promise<LedgerRow[]> => kit.data(list);
const adjust = (kit: Kit, body: object) => kit.send('POST', '/stock_adjustments', { body });

const keys = [
  'id',
  'product_id',
  'product_name',
  'adjustment_type',
  'quantity_change',
  'quantity_before',
  'quantity_after',
  'reason',
  'warehouse_location_id',
  'warehouse_location_name',
  'created_at',
];
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

const refusals: [string, object, string][] = [
  ['an unknown adjustment_type', { adjustment_type: 'teleport', quantity_change: 1 }, 'An unknown adjustment_type is 422.'],
  ['a type that only events write', { adjustment_type: 'sale', quantity_change: 1 }, 'An unknown adjustment_type is 422.'],
  ['a quantity_change of zero', { adjustment_type: 'receive', quantity_change: 0 }, 'A quantity_change of zero is rejected with 422.'],
  ['a negative counted_quantity', { adjustment_type: 'inventory', counted_quantity: -1 }, 'counted_quantity must not be negative: 422.'],
];
const missing: [string, object][] = [
  ['product_id', { adjustment_type: 'receive', quantity_change: 1 }],
  ['adjustment_type', { product_id: 1, quantity_change: 1 }],
  ['quantity_change', { product_id: 1, adjustment_type: 'receive' }],
  ['counted_quantity', { product_id: 1, adjustment_type: 'inventory' }],
];

export const stockChecks = [
  read('GET /stock_adjustments', 'The ledger is listed newest first.', reads, async (kit) => {
    const rows = await rowsOf(kit);
    for (const [index, next] of rows.slice(1).entries()) holds(rows[index]!.id > next.id, `row ${next.id} follows row ${rows[index]!.id}`);
  }),
  read('GET /stock_adjustments', 'quantity_before plus quantity_change is quantity_after in every row.', reads, async (kit) => {
    for (const row of await rowsOf(kit)) {
      same(`quantity_after of row ${row.id}`, row.quantity_after, rounded(row.quantity_before + row.quantity_change));
    }
  }),
  read(
    'GET /stock_adjustments?product_id=',
    'product_id filters; each row continues from the stock of the row before.',
    reads,
    async (kit) => {
      const [row] = await rowsOf(kit);
      if (!row) return;
      const rows: LedgerRow[] = await kit.data(`${list}&product_id=${row.product_id}`);
      same(
        'other products',
        rows.filter(({ product_id }) => product_id !== row.product_id),
        [],
      );
      for (const [index, older] of rows.slice(1).entries())
        same(`quantity_before of row ${rows[index]!.id}`, rows[index]!.quantity_before, older.quantity_after);
    },
  ),
  read('GET /stock_adjustments?adjustment_type=', 'adjustment_type filters; an unknown one finds nothing.', reads, async (kit) => {
    const rows: LedgerRow[] = await kit.data(`${list}&adjustment_type=receive`);
    same(
      'other types',
      rows.filter(({ adjustment_type }) => adjustment_type !== 'receive'),
      [],
    );
    same('rows of an unknown type', await kit.data(`${list}&adjustment_type=teleport`), []);
  }),
  read('GET /stock_adjustments?product_id=abc', 'A filter by id that is no id matches nothing.', reads, async (kit) => {
    same('data', await kit.data('/stock_adjustments?product_id=abc'), []);
    same('data', await kit.data('/stock_adjustments?warehouse_location_id=abc'), []);
  }),
  ...['since', 'until'].map((name) =>
    read(
      `GET /stock_adjustments?${name}=never`,
      `An unparseable ${name} is 422 "${name} must be a valid timestamp".`,
      reads,
      async (kit) => {
        const answer = await kit.get(`/stock_adjustments?${name}=never`);
        same('the answer', [answer.status, answer.body?.error], [422, `${name} must be a valid timestamp`]);
      },
    ),
  ),
  read('GET /stock_adjustments?since=', 'since is exclusive, until is inclusive.', reads, async (kit) => {
    const [row] = await rowsOf(kit);
    if (!row) return;
    const at = encodeURIComponent(row.created_at);
    const ids = async (query: string) =>
      ((await kit.data(`${list}&${query}&product_id=${row.product_id}`)) as LedgerRow[]).map(({ id }) => id);
    same('in since, in until', [(await ids(`since=${at}`)).includes(row.id), (await ids(`until=${at}`)).includes(row.id)], [false, true]);
  }),
  write('POST /stock_adjustments', `Answers 201 with ${keys.join(', ')}.`, writes, async (kit) => {
    const { id } = await newProduct(kit);
    const { status, body } = await adjust(kit, {
      product_id: id,
      adjustment_type: 'receive',
      quantity_change: '2.5',
      reason: 'Conformance',
    });
    const { data } = body;
    same('status', status, 201);
    same(
      'its keys',
      Object.keys(data).filter((name) => !['floor_stock', 'back_stock'].includes(name)),
      keys,
    );
    same(
      'quantities and reason',
      [data.quantity_before, data.quantity_change, data.quantity_after, data.reason],
      [0, 2.5, 2.5, 'Conformance'],
    );
  }),
  write('POST /stock_adjustments', 'The next read of the product shows the new stock.', writes, async (kit) => {
    const { id } = await newProduct(kit);
    await adjust(kit, { product_id: id, adjustment_type: 'receive', quantity_change: 4 });
    const { data } = (await kit.send('GET', `/products/${id}`)).body;
    same('current_stock and in_stock', [data.current_stock, data.in_stock], [4, true]);
  }),
  write('POST /stock_adjustments', 'A positive change adds, a negative one removes, also below zero.', writes, async (kit) => {
    const { id } = await newProduct(kit);
    const after = async (quantity_change: number) =>
      (await adjust(kit, { product_id: id, adjustment_type: 'damage', quantity_change })).body.data.quantity_after;
    same('quantity_after', [await after(3), await after(-5), await after(1.25)], [3, -2, -0.75]);
  }),
  write('POST /stock_adjustments', 'inventory records the difference from the current stock, zero too.', writes, async (kit) => {
    const { id } = await newProduct(kit);
    const change = async (counted_quantity: number) =>
      (await adjust(kit, { product_id: id, adjustment_type: 'inventory', counted_quantity })).body.data.quantity_change;
    same('quantity_change', [await change(7), await change(7), await change(2)], [7, 0, -5]);
  }),
  ...refusals.map(([title, body, sentence]) =>
    write(`POST /stock_adjustments with ${title}`, sentence, writes, async (kit) => {
      const { id } = await newProduct(kit);
      const answer = await adjust(kit, { product_id: id, ...body });
      same('status and shape', [answer.status, Array.isArray(answer.body?.errors)], [422, true]);
    }),
  ),
  write('POST /stock_adjustments', 'An unknown product_id is 404 "Product not found".', ['inventory:write'], async (kit) => {
    const answer = await adjust(kit, { product_id: 999_999_999, adjustment_type: 'receive', quantity_change: 1 });
    same('the answer', [answer.status, answer.body?.error], [404, 'Product not found']);
  }),
  ...missing.map(([name, body]) =>
    write(
      `POST /stock_adjustments without ${name}`,
      'What is missing is 400 "param is missing or the value is empty: <name>".',
      ['inventory:write'],
      async (kit) => {
        const answer = await adjust(kit, body);
        same('the answer', [answer.status, answer.body?.error], [400, `param is missing or the value is empty: ${name}`]);
      },
    ),
  ),
];
