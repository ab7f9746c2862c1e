import { expect, test } from '@jest/globals';
import { purchasing, sharePurchasing, staffOf } from '../../test/purchasing-under-test.ts';

sharePurchasing();

const create = (supplier: unknown, storeId = 1) => purchasing.answer('CreateSupplier', { supplier }, staffOf(storeId));
const list = async (storeId: number, query = '') => purchasing.query('ListSuppliers', query, staffOf(storeId));
const names = async (storeId: number, query = '') => (await list(storeId, query)).suppliers.map(({ name }: { name: string }) => name);
const patch = (id: number, supplier: unknown, storeId = 1) => purchasing.body('UpdateSupplier', { supplier }, staffOf(storeId), { id });
const remove = (id: number, storeId = 1) => purchasing.byId('ArchiveSupplier', id, staffOf(storeId));
const unknown = { status: 404, error: 'Supplier not found' };

test('golden: a supplier holds exactly these keys, null where there is nothing', async () => {
  const { text, json } = await create({ name: 'Lantern Works', email: 'orders@lantern.example' });
  const at = '2026-11-20T12:00:00.000Z';
  expect(text).toBe(
    `{"supplier":{"id":${json.supplier.id},"name":"Lantern Works","email":"orders@lantern.example","phone":null,"created_at":"${at}","updated_at":"${at}"}}`,
  );
  const [event] = (await purchasing.events(1)).slice(-1);
  const audit = { action: 'supplier.create', after: { name: 'Lantern Works' } };
  expect(event).toMatchObject({ name: 'supplier.created', body: null, audit });
});

test('suppliers are listed by name in code point order, those of the store alone', async () => {
  for (const name of ['b', 'B', 'ä', 'a']) await create({ name }, 2);
  expect(await names(2)).toEqual(['B', 'a', 'b', 'ä']);
  expect(await names(3)).toEqual([]);
});

test('D276: suppliers come in pages; q finds parts of names, wildcards taken literally', async () => {
  for (const name of ['Lamps 10%', 'Lamps 100', 'Paper']) await create({ name }, 4);
  const { suppliers, pagination } = await list(4, 'page=2&per_page=2');
  expect(suppliers.map(({ name }: { name: string }) => name)).toEqual(['Paper']);
  expect(pagination).toEqual({ current_page: 2, per_page: 2, total_count: 3, total_pages: 2 });
  expect(await names(4, 'q=lAMPS')).toEqual(['Lamps 10%', 'Lamps 100']);
  expect(await names(4, 'q=10%25')).toEqual(['Lamps 10%']);
  expect((await list(4, 'q=10%25')).pagination.total_count).toBe(1);
  expect(await names(4, 'q=a%00')).toEqual([]);
  expect(await names(4, 'q=%20')).toHaveLength(3);
});

test('PATCH changes what is sent, shown on orders; no difference is no event', async () => {
  const { supplier } = (await create({ name: 'Lights', phone: '1' })).json;
  const order = await purchasing.order([{ product_id: 1, quantity_ordered: 1, unit_price: 1 }], { supplier_id: supplier.id });
  purchasing.clock.advance(1_000);
  const events = await purchasing.eventsOf(1, async () => {
    const changed = { ...supplier, name: 'Lights Ltd', phone: null, updated_at: purchasing.clock.now().toISOString() };
    expect(await patch(supplier.id, { name: 'Lights Ltd', phone: '' })).toEqual({ supplier: changed });
    expect(await patch(supplier.id, { name: 'Lights Ltd' })).toEqual({ supplier: changed });
    expect(await purchasing.byId('GetSupplier', supplier.id, staffOf(1))).toEqual({ supplier: changed });
  });
  const difference = { before: { name: 'Lights', phone: '1' }, after: { name: 'Lights Ltd', phone: null } };
  expect(events.map(({ body, audit }) => [body, audit])).toMatchObject([[null, { action: 'supplier.update', ...difference }]]);
  expect((await purchasing.get(order.id)).supplier.name).toBe('Lights Ltd');
  expect(await purchasing.refusal(patch(supplier.id, { name: ' ' }))).toMatchObject({ status: 422, errors: ["Name can't be blank"] });
});

test('DELETE archives: no list or new order has the supplier; its orders keep it', async () => {
  const { supplier } = (await create({ name: 'Gone' }, 5)).json;
  purchasing.catalog.products.set(50, { storeId: 5, name: 'Theirs' });
  const lines = [{ product_id: 50, quantity_ordered: 1, unit_price: 1 }];
  const order = await purchasing.order(lines, { supplier_id: supplier.id }, 5);
  const events = await purchasing.eventsOf(5, async () =>
    expect(await remove(supplier.id, 5)).toEqual({ success: true, message: 'Supplier archived' }),
  );
  expect(events.map(({ audit }) => audit)).toMatchObject([{ action: 'supplier.delete', before: { name: 'Gone' }, after: null }]);
  expect(await names(5)).toEqual([]);
  expect((await purchasing.get(order.id, staffOf(5))).supplier).toEqual({ id: supplier.id, name: 'Gone' });
  const refused = await purchasing.refusal(purchasing.order(lines, { supplier_id: supplier.id }, 5));
  expect(refused).toMatchObject({ status: 422, errors: ['Supplier not found'] });
  expect(await purchasing.refusal(remove(supplier.id, 5))).toEqual(unknown);
  expect(await purchasing.refusal(patch(supplier.id, { name: 'x' }, 5))).toEqual(unknown);
  expect(await purchasing.refusal(purchasing.byId('GetSupplier', supplier.id, staffOf(5)))).toEqual(unknown);
});
