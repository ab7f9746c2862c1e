/** The id that another system has for a product (D267, D286). */
import { expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import { catalog, key, keyOf, updateProduct as patch, shareCatalog, staff, storeId } from '../../test/catalog-under-test.ts';

shareCatalog();
const taken = { errors: { external_id: ['has already been taken'] } };
const asking = () => ({ ...staff, scopes: new Set([...staff.scopes, 'include:external_id']) });
const make = (name: string, external_id?: string, more: object = {}) => catalog.product({ name, external_id, ...more }, staff);
const errorsOf = async (work: Promise<unknown>): Promise<Json> => (await problemOf(work)).extra;
const upsert = async (products: object[]): Promise<Json> => (await catalog.answer('BulkUpsert', { products }, key)).json;
const idOf = async (external_id: string) => (await catalog.list(`external_id=${external_id}`, key)).products[0]?.id;

test('is taken on writes, shown where the request names it alone, and in no event', async () => {
  const events = await catalog.eventsOf(storeId, async () => {
    const { id, ...created } = await make('Lantern', ' shop-1 ');
    expect(created).not.toHaveProperty('external_id');
    expect(await catalog.get(id, asking())).toMatchObject({ external_id: 'shop-1' });
    expect((await patch(id, { external_id: 'shop-2' }, asking())).product).toMatchObject({ external_id: 'shop-2' });
    await make('Lantern, large', 'shop-3', { parent_id: id });
    expect((await catalog.get(id, asking())).variations).toMatchObject([{ external_id: 'shop-3' }]);
    expect((await catalog.get(id, key)).variations[0]).not.toHaveProperty('external_id');
    await patch(id, { description: 'kept' });
    expect(await idOf('shop-2')).toBe(id);
    await patch(id, { external_id: '' });
    expect(await idOf('shop-2')).toBeUndefined();
  });
  expect(events[0]!.audit!.after).toMatchObject({ external_id: 'shop-1' });
  expect(events[1]!.audit).toMatchObject({ before: { external_id: 'shop-1' }, after: { external_id: 'shop-2' } });
  expect(JSON.stringify(events.map(({ body }) => body))).not.toContain('external_id');
});

test('finds its product exactly, a variation as a row, in the store alone', async () => {
  const { id } = await make('Lantern', 'shop-1');
  await make('Large', 'SHOP-1', { parent_id: id });
  await catalog.product({ name: 'Theirs', external_id: 'shop-1' }, keyOf(storeId + 1_000));
  expect(await catalog.names('external_id=shop-1', key)).toEqual(['Lantern']);
  expect(await catalog.names('external_id=%20SHOP-1', key)).toEqual(['Large']);
  for (const nobodys of ['shop', 'shop-1%00', 'x'.repeat(300)]) expect(await catalog.names(`external_id=${nobodys}`, key)).toEqual([]);
  expect(await catalog.names('external_id=%20', key)).toEqual(['Lantern']);
});

test('is unique: a taken one is a 422; of concurrent creations one succeeds (D27)', async () => {
  const { id } = await make('Lantern', 'shop-1', { sku: 'A' });
  const other = await make('Lamp');
  expect(await errorsOf(make('Ada', 'shop-1'))).toEqual(taken);
  expect(await errorsOf(make('Ada', 'shop-1', { sku: 'A' }))).toEqual({
    errors: { sku: ['has already been taken'], external_id: ['has already been taken'] },
  });
  expect(await errorsOf(patch(other.id, { external_id: 'shop-1' }))).toEqual(taken);
  expect((await patch(id, { external_id: 'shop-1' })).product.id).toBe(id);
  expect(await errorsOf(patch(id, { external_id: 'x'.repeat(256) }))).toEqual({
    errors: { external_id: ['is too long (maximum is 255 characters)'] },
  });
  for (const once of [{ external_id: 'one' }, { sku: 'one' }]) {
    const raced = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => make(`${n}`, undefined, once)));
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of raced) if (one.status === 'rejected') expect([409, 422]).toContain(one.reason.status);
  }
  const moved = await Promise.allSettled([id, other.id].map((product) => patch(product, { external_id: 'two' })));
  expect(moved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('bulk_upsert takes it per row; a row with a taken one fails by itself', async () => {
  await make('Lantern', 'shop-1', { sku: 'A' });
  const json = await upsert([
    { sku: 'A', name: 'Lantern', external_id: 'shop-1' },
    { sku: 'B', name: 'Stolen', external_id: 'shop-1' },
    { sku: 'C', name: 'New', external_id: 'shop-3' },
    { sku: 'C', external_id: 'shop-4' },
    { sku: 'D', name: 'Late', external_id: 'shop-4' },
    { sku: 'E', name: 'Wrong', external_id: ['x'] },
    { sku: 'F', name: 'None' },
  ]);
  const { errors } = taken;
  const sentence = `External id ${errors.external_id[0]}`;
  expect(json).toMatchObject({ created_skus: ['C', 'F'], updated_skus: ['A', 'C'] });
  expect(json.errors.map((row: Json) => [row.index, ...row.errors])).toEqual([
    [1, sentence],
    [4, sentence],
    [5, 'External id is invalid'],
  ]);
  expect(await catalog.names('external_id=shop-4', key)).toEqual(['New']);
  expect(
    await upsert([
      { sku: 'C', external_id: null },
      { sku: 'A', external_id: 'shop-9' },
    ]),
  ).toMatchObject({ updated: 2, failed: 0 });
  expect(await upsert([{ sku: 'F', external_id: 'shop-1' }])).toMatchObject({ updated: 1, failed: 0 });
});

test('of bulk_upserts at once that give one id to different products, one does', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => upsert([{ sku: `new-${n}`, name: 'New', external_id: 'one' }])));
  expect(answers.filter(({ created }) => created === 1)).toHaveLength(1);
  expect(answers.filter(({ failed }) => failed === 1)).toHaveLength(5);
});

test('is free once its product is deleted; a restore needs it to be free still', async () => {
  const { id } = await make('Lantern', 'shop-1');
  await catalog.call('DeleteProduct', { id: String(id) }, staff);
  const other = await make('Lamp', 'shop-1');
  expect(await errorsOf(catalog.byId('RestoreProduct', id, staff))).toEqual(taken);
  await patch(other.id, { external_id: null });
  await catalog.byId('RestoreProduct', id, staff);
  expect(await idOf('shop-1')).toBe(id);
});
