import { beforeEach, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { caller, inventory, ledger, newStore, product, receive, shareInventory, staff, storeId } from '../../test/inventory-under-test.ts';

shareInventory();
beforeEach(() => newStore());

const location = (name: string, kind = 'back') => inventory.addLocation(name, kind, staff);
const rename = (id: number, warehouse_location: object) => inventory.body('UpdateWarehouseLocation', { warehouse_location }, staff, { id });
const remove = (id: number) => inventory.byId('DeleteWarehouseLocation', id, staff);
const list = async (): Promise<Json[]> => (await inventory.query('ListWarehouseLocations', '', staff)).warehouse_locations;

test('D159: staff create, rename, delete locations, audited with before and after', async () => {
  const cellar = await location('Cellar');
  await location('Attic');
  expect(cellar).toEqual({ id: expect.any(Number), name: 'Cellar', kind: 'back' });
  await rename(cellar.id, { kind: 'floor' });
  expect((await list()).map(({ name, kind }) => [name, kind])).toEqual([
    ['Attic', 'back'],
    ['Cellar', 'floor'],
  ]);
  expect(await remove(cellar.id)).toEqual({ success: true, message: 'Warehouse location deleted' });
  const events = await inventory.events(storeId);
  expect(events.map(({ name, body, internal }) => [name, body, internal.audit?.before, internal.audit?.after])).toEqual([
    ['warehouse_location.created', null, null, cellar],
    ['warehouse_location.created', null, null, expect.objectContaining({ name: 'Attic' })],
    ['warehouse_location.updated', null, { kind: 'back' }, { kind: 'floor' }],
    ['warehouse_location.deleted', null, { ...cellar, kind: 'floor' }, null],
  ]);
});

test('a location is deleted only without stock; the ledger keeps its name', async () => {
  const id = product();
  const shop = await location('Shop', 'floor');
  await inventory.adjust(receive(id, 2, { warehouse_location_id: shop.id }), caller);
  await expect(remove(shop.id)).rejects.toMatchObject({ kind: 'invalid', extra: { errors: ['Warehouse location still holds stock'] } });
  await inventory.adjust(receive(id, -2, { warehouse_location_id: shop.id }), caller);
  await remove(shop.id);
  const [row] = await ledger(`warehouse_location_id=${shop.id}`);
  expect(row.warehouse_location).toEqual({ id: shop.id, name: 'Shop' });
});

test('a location deleted while stock is put there keeps the stock or goes, never both', async () => {
  const id = product();
  for (let round = 0; round < 10; round++) {
    const shop = await location(`Shop ${round}`, 'floor');
    const outcomes = await Promise.allSettled([
      inventory.adjust(receive(id, 1, { warehouse_location_id: shop.id }), caller),
      remove(shop.id),
    ]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'invalid' });
  }
});

test.each([{ kind: 'back' }, { name: ' ', kind: 'back' }, { name: 'Roof', kind: 'roof' }, { name: {} }, { name: 'Taken' }])(
  'a location %j is a 422',
  async (warehouse_location) => {
    await location('Taken');
    const refused = await inventory.refusal(inventory.body('CreateWarehouseLocation', { warehouse_location }, staff));
    expect(refused.status).toBe(422);
  },
);

test('the list is sorted by code point and ends at 500 (D44)', async () => {
  for (const name of ['b', 'ä', 'Z', 'A']) await location(name);
  expect((await list()).map(({ name }) => name)).toEqual(['A', 'Z', 'b', 'ä']);
  await inventory.run(
    `insert into inventory.warehouse_locations (store_id, name, kind, created_at, updated_at)
     select $1, 'Shelf ' || n, 'back', clock_timestamp(), clock_timestamp() from generate_series(1, 500) n`,
    [storeId],
  );
  expect(await list()).toHaveLength(500);
});
