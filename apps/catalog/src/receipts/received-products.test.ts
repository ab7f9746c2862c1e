/** D243: products that purchasing makes of lines which arrive. */
import { expect, test } from '@jest/globals';
import { catalog, key, keyOf, shareCatalog, staff, staffOf, storeId, updateProduct } from '../../test/catalog-under-test.ts';

let lastLine = 0;
shareCatalog();

const line = (fields: object = {}) => ({ line_id: ++lastLine, name: `Lamp ${lastLine}`, unit_type: 'unit', ...fields });
const make = async (lines: object[], caller = staff): Promise<{ id: number; name: string; sku?: string }[]> =>
  (await catalog.call('CreateReceivedProducts', { lines }, caller)).json.products.map(({ product }: { product: object }) => product);

test('D269: a received line becomes an inactive product, with its event and audit', async () => {
  const wanted = line({ name: 'New lamp', sku: 'N-1', unit_type: 'gram' });
  const events = await catalog.eventsOf(storeId, () => make([wanted]));
  const [created] = events;
  expect(events.map(({ name }) => name)).toEqual(['product.created']);
  const shown = { name: 'New lamp', sku: 'N-1', unit_type: 'gram', price: '0.00', current_stock: 0, active: false };
  expect(created!.body.data).toMatchObject(shown);
  expect(created!.audit).toMatchObject({ action: 'product.create', after: { name: 'New lamp', sku: 'N-1' } });
});

test('the same line always gets the same product, also in concurrent calls', async () => {
  const wanted = [line(), line({ sku: 'S-1' }), line()];
  const answers = await Promise.all(Array.from({ length: 8 }, () => make(wanted)));
  const [first] = answers;
  for (const answer of answers) expect(answer).toEqual(first);
  expect(await make([...wanted].reverse())).toEqual([...first!].sort((a, b) => a.id - b.id));
  expect(new Set(first!.map(({ id }) => id)).size).toBe(3);
});

test('a sku in use is matched, also by two lines; that of a deleted product is not', async () => {
  const known = await catalog.product({ name: 'Known', sku: 'K-1' }, staff);
  const gone = await catalog.product({ name: 'Gone', sku: 'G-1' }, staff);
  await catalog.byId('DeleteProduct', gone.id, staff);
  const [a, b, c, d] = await make([line({ sku: 'K-1' }), line({ sku: 'K-1' }), line({ sku: 'G-1' }), line({ sku: 'G-1' })]);
  expect([a!.id, b!.id, a!.name]).toEqual([known.id, known.id, 'Known']);
  expect(c!.id).not.toBe(gone.id);
  expect(d!.id).toBe(c!.id);
});

test('a line whose product was deleted meanwhile gets another one', async () => {
  const wanted = line();
  const [first] = await make([wanted]);
  await catalog.byId('DeleteProduct', first!.id, staff);
  const [second] = await make([wanted]);
  expect(second!.id).not.toBe(first!.id);
  expect(await make([wanted])).toEqual([second]);
});

test('lines and skus of two stores have nothing to do with each other', async () => {
  const wanted = line({ sku: 'BOTH' });
  const [ours] = await make([wanted]);
  const [theirs] = await make([wanted], staffOf(storeId + 1000));
  expect(theirs!.id).not.toBe(ours!.id);
  expect((await catalog.get(theirs!.id, keyOf(storeId + 1000))).sku).toBe('BOTH');
});

/** A product of a receipt, which waits for its price. */
const unpriced = async () => (await make([line({ sku: `U-${lastLine}` })]))[0]!;
const patched = async (id: number, product: object) => (await updateProduct(id, product)).product;

test('D269: a first price by PATCH, SetPrice or bulk_upsert activates the product', async () => {
  const [one, two, three] = [await unpriced(), await unpriced(), await unpriced()];
  const events = await catalog.eventsOf(storeId, async () => {
    expect(await patched(one.id, { name: 'Lamp' })).toMatchObject({ active: false });
    expect(await patched(one.id, { price: '3.00' })).toMatchObject({ active: true, price: '3.00' });
    await catalog.call('SetPrice', { product_ids: [two.id], price: '0.00' }, staff);
    await catalog.call('SetPrice', { product_ids: [two.id], price: '4.00' }, staff);
    await catalog.call('BulkUpsert', { products: [{ sku: three.sku, price: '5.00' }] }, key);
  });
  const changes = events.map(({ body, audit }) => [body.data.price, body.data.active, audit?.before]);
  expect(changes).toMatchObject([
    ['0.00', false, { name: one.name }],
    ['3.00', true, { price: '0.00', active: false }],
    ['4.00', true, { price: '0.00', active: false }],
    ['5.00', true, { price: '0.00', active: false }],
  ]);
});

test('D269: a product that was deactivated explicitly stays inactive when it is priced', async () => {
  const { id } = await unpriced();
  expect(await patched(id, { price: '3.00', active: false })).toMatchObject({ active: false });
  expect(await patched(id, { price: '4.00' })).toMatchObject({ active: false });
  const other = await catalog.product({ name: 'Off', price: '0.00', active: false }, staff);
  expect(await patched(other.id, { price: '4.00' })).toMatchObject({ active: false });
  await catalog.call('SetPrice', { product_ids: [id, other.id], price: '6.00' }, staff);
  expect([(await catalog.get(id, staff)).active, (await catalog.get(other.id, staff)).active]).toEqual([false, false]);
});
