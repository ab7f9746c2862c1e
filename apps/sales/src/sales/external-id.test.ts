/** The id that another system has for a sale (D267, D286). */
import { expect, test } from '@jest/globals';
import { clerk, key, newStore, sales, sell, shareSales, store } from '../../test/sales-under-test.ts';

shareSales({}, { price: '4.00' });
/** Whose request names the field. */
const asking = (as = clerk) => ({ ...as, scopes: new Set([...as.scopes, 'include:external_id']) });
const taken = ['External id has already been taken'];

test('is taken by new, parked and completed sales, and shown where asked for alone', async () => {
  const { id, ...parked } = await sell({ status: 'pending', external_id: ' web-1 ' });
  expect(parked).not.toHaveProperty('external_id');
  expect(await sales.update(id, { notes: 1, status: 'ready' }, asking())).toMatchObject({ external_id: 'web-1' });
  expect(await sales.update(id, { status: 'completed', external_id: 'web-2' }, asking())).toMatchObject({ external_id: 'web-2' });
  expect(await sales.update(id, { external_id: 'web-3' }, asking())).toMatchObject({ status: 'completed', external_id: 'web-3' });
  expect(await sales.update(id, { status: 'voided', external_id: null }, asking())).not.toHaveProperty('external_id');
  const events = await sales.events(store);
  expect(events.map(({ name }) => name)).toContain('sale.updated');
  expect(JSON.stringify(events.map(({ body }) => body))).not.toContain('external_id');
});

test('a note of a parked sale stays with it, and is shown where asked for alone', async () => {
  const withNote = { ...clerk, scopes: new Set([...clerk.scopes, 'include:note']) };
  const { id, ...parked } = await sell({ status: 'pending', note: 'Red coat' });
  expect(parked).not.toHaveProperty('note');
  expect((await sales.list('status=pending&include=note', withNote)).sales[0]).toMatchObject({ id, note: 'Red coat' });
  expect(await sales.refused(sales.update(id, { note: 'x'.repeat(1_001) }))).toEqual(['Note is too long (maximum is 1000 characters)']);
  expect(await sales.update(id, { note: 'Blue coat' }, withNote)).toMatchObject({ note: 'Blue coat' });
  expect(await sales.update(id, { status: 'completed' }, withNote)).toMatchObject({ status: 'completed', note: 'Blue coat' });
});

test('finds its sale of any date, in the store alone', async () => {
  const { id } = await sell({ external_id: 'web-1', completed_at: '2020-01-02T03:04:05Z' });
  await sell({ external_id: 'web-2' });
  const mine = key;
  newStore();
  await sell({ external_id: 'web-1', line_items: [{ product_id: sales.product(), quantity: 1 }] });
  const found = (query: string) => sales.ids(query, mine);
  expect(await found('external_id=web-1')).toEqual([id]);
  expect(await found('external_id=web-1&period=today')).toEqual([]);
  for (const nobodys of ['web', 'web-1%00', 'x'.repeat(300)]) expect(await found(`external_id=${nobodys}`)).toEqual([]);
});

test('belongs to one sale, also when two come at once', async () => {
  await sell({ external_id: 'web-1' });
  const { id } = await sell();
  expect(await sales.refused(sell({ external_id: 'web-1' }))).toEqual(taken);
  expect(await sales.refused(sales.update(id, { external_id: 'web-1' }))).toEqual(taken);
  expect(await sales.refused(sales.update(id, { external_id: 'x'.repeat(256) }))).toEqual([
    'External id is too long (maximum is 255 characters)',
  ]);
  const raced = await Promise.allSettled(Array.from({ length: 8 }, () => sell({ external_id: 'one' })));
  expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
