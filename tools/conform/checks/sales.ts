/** Sales, read-only for keys. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { holds, Skip, same } from '../outcome.ts';
import { everySale } from '../samples.ts';

const { read } = areaOf('sales');
const scopes = ['sales:read'];
const list = `${everySale}&per_page=100`;
const two = /^-?\d+\.\d{2}$/;

interface Sale {
  id: number;
  receipt_number: string;
  status: string;
  subtotal: string;
  tax_amount: string;
  discount_amount: string;
  total: string;
  created_at: string;
  completed_at?: string;
  voided_at?: string;
  void_reason?: string;
  customer?: { name?: string };
  line_items: { id: number; quantity: number; unit_price: string; discount_amount: string; total: string; modifiers: object[] }[];
}
const sales = (kit: Kit): Promise<Sale[]> => kit.data(list);

const each = (sentence: string, look: (sale: Sale) => void) =>
  read('GET /sales', sentence, scopes, async (kit) => {
    for (const sale of await sales(kit)) look(sale);
  });

async function firstSale(kit: Kit): Promise<Sale> {
  const [sale] = await sales(kit);
  if (!sale) throw new Skip('the store has no sale');
  return sale;
}

const total = async (kit: Kit, path: string): Promise<number> => (await kit.get(path)).body.pagination.total_count;

/** Both lists have as many rows, unless a sale was made in between. */
const alike = (query: string, other: string, sentence: string) =>
  read(`GET /sales?${query}`, sentence, scopes, async (kit) =>
    same('total_count', await total(kit, `/sales?${query}`), await total(kit, other)),
  );

export const saleChecks = [
  each('Money of sales is text with exactly two decimals.', (sale) => {
    for (const name of ['subtotal', 'tax_amount', 'discount_amount', 'total'] as const)
      holds(two.test(sale[name]), `${name} of sale ${sale.id} is ${sale[name]}`);
    for (const line of sale.line_items)
      holds(two.test(line.unit_price) && two.test(line.total), `line ${line.id} has ${line.unit_price} and ${line.total}`);
  }),
  each('status is pending, ready, completed or voided.', ({ id, status }) =>
    holds(['pending', 'ready', 'completed', 'voided'].includes(status), `sale ${id} is ${status}`),
  ),
  each('Fields of a sale that have no value are left out, not null.', (sale) =>
    same(
      `fields of sale ${sale.id} that are null`,
      Object.entries(sale).filter(([, value]) => value === null),
      [],
    ),
  ),
  each('voided_at and void_reason are on voided sales, and on no others.', (sale) =>
    same(
      `voided_at of sale ${sale.id}, which is ${sale.status}`,
      [sale.voided_at !== undefined, sale.void_reason !== undefined],
      Array(2).fill(sale.status === 'voided'),
    ),
  ),
  each('A completed sale has completed_at.', ({ id, status, completed_at }) =>
    holds(status !== 'completed' || completed_at !== undefined, `sale ${id} has none`),
  ),
  each('Quantities of lines are numbers, and modifiers is a list.', ({ line_items }) => {
    for (const { id, quantity, modifiers } of line_items) same(`line ${id}`, [typeof quantity, Array.isArray(modifiers)], ['number', true]);
  }),
  read('GET /sales', 'Sales are listed newest first by creation.', scopes, async (kit) => {
    const rows = await sales(kit);
    for (const [index, next] of rows.slice(1).entries())
      holds(rows[index]!.id > next.id, `sale ${next.id} follows sale ${rows[index]!.id}`);
  }),
  read('GET /sales/:id', 'GET /sales/:id answers one sale in the same shape.', scopes, async (kit) => {
    const sale = await firstSale(kit);
    const { status, body } = await kit.send('GET', `/sales/${sale.id}`);
    same('status, id and keys', [status, body?.data?.id, Object.keys(body?.data ?? {})], [200, sale.id, Object.keys(sale)]);
  }),
  read('GET /sales?search=', 'search finds the id and looks at all dates.', scopes, async (kit) => {
    const { id } = await firstSale(kit);
    holds(
      (await kit.data(`/sales?per_page=100&search=${id}`)).some((sale: Sale) => sale.id === id),
      `sale ${id} is not found`,
    );
  }),
  read('GET /sales?search=', 'search finds the receipt number.', scopes, async (kit) => {
    const { id, receipt_number } = await firstSale(kit);
    holds(
      (await kit.data(`/sales?per_page=100&search=${encodeURIComponent(receipt_number)}`)).some((sale: Sale) => sale.id === id),
      `${receipt_number} is not found`,
    );
  }),
  read('GET /sales?search=', 'search that matches nothing is an empty list.', scopes, async (kit) =>
    same('data', await kit.data('/sales?search=conform-no-such-sale'), []),
  ),
  ...['completed', 'voided', 'ready'].map((status) =>
    read(`GET /sales?status=${status}`, 'status filters within the dates.', scopes, async (kit) => {
      const rows: Sale[] = await kit.data(`${list}&status=${status}`);
      same(
        'other states',
        rows.filter((sale) => sale.status !== status),
        [],
      );
    }),
  ),
  read('GET /sales?status=pending', 'status=pending skips the date window and shows no voided sale.', scopes, async (kit) => {
    const rows: Sale[] = await kit.data('/sales?status=pending&per_page=100');
    same(
      'voided ones',
      rows.filter(({ status }) => status === 'voided'),
      [],
    );
  }),
  alike('start_date=2000-01-01', '/sales', "If one of the dates is missing only today's sales are returned."),
  alike('end_date=2000-01-01', '/sales', "If one of the dates is missing only today's sales are returned."),
  alike('start_date=2000-01-01&end_date=never', '/sales', "If a date is unparseable only today's sales are returned."),
  alike('period=today', '/sales', "Without dates the list is today's."),
  alike('period=conform', '/sales', 'Without dates an unknown period is today.'),
  alike('period=today&start_date=2000-01-01&end_date=2099-12-31', '/sales', 'A period is used instead of dates.'),
  read('GET /sales?status=conform', 'An unknown status is ignored.', scopes, async (kit) =>
    same('total_count', await total(kit, `${everySale}&status=conform`), await total(kit, everySale)),
  ),
  read('GET /sales?fulfillment_method=conform', 'An unknown fulfillment_method finds nothing.', scopes, async (kit) =>
    same('data', await kit.data(`${everySale}&fulfillment_method=conform`), []),
  ),
  read('GET /sales', 'A start_date after the end_date finds nothing.', scopes, async (kit) =>
    same('data', await kit.data('/sales?start_date=2026-01-02&end_date=2026-01-01'), []),
  ),
  read('GET /sales', 'yesterday, week and month are periods; week holds today.', scopes, async (kit) => {
    const [today, week, month] = [
      await total(kit, '/sales?period=today'),
      await total(kit, '/sales?period=week'),
      await total(kit, '/sales?period=month'),
    ];
    holds(today <= week && week <= month, `today has ${today}, week ${week}, month ${month}`);
    same('the status of yesterday', (await kit.get('/sales?period=yesterday')).status, 200);
  }),
];
