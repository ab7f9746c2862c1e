import { describe, expect, test } from '@jest/globals';
import { caller, inventory, newStore, product, receive, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff, type LocationJson } from '../../test/start-inventory.ts';

shareInventory();

const location = (name: string, kind: string) => inventory.addLocation(name, kind, asStaff(storeId));

describe('warehouse locations', () => {
  test('D159: staff create, rename and delete locations, and each change is audited with before and after', async () => {
    newStore();
    const staff = asStaff(storeId);
    const cellar = await location('Cellar', 'back');
    await location('Attic', 'back');
    expect(cellar).toEqual({ id: expect.any(Number), name: 'Cellar', kind: 'back' });
    const path = { id: String(cellar.id) };
    await inventory.body('UpdateWarehouseLocation', { warehouse_location: { kind: 'floor' } }, staff, path);
    const { warehouse_locations }: { warehouse_locations: LocationJson[] } = await inventory.query('ListWarehouseLocations', '', staff);
    expect(warehouse_locations.map((each) => [each.name, each.kind])).toEqual([
      ['Attic', 'back'],
      ['Cellar', 'floor'],
    ]);
    const done = await inventory.body('DeleteWarehouseLocation', {}, staff, path);
    expect(done).toEqual({ success: true, message: 'Warehouse location deleted' });
    const events = await inventory.events(storeId);
    expect(events.map(({ name, body, internal }) => [name, body, internal.audit?.before, internal.audit?.after])).toEqual([
      ['warehouse_location.created', null, null, cellar],
      ['warehouse_location.created', null, null, expect.objectContaining({ name: 'Attic' })],
      ['warehouse_location.updated', null, { kind: 'back' }, { kind: 'floor' }],
      ['warehouse_location.deleted', null, { ...cellar, kind: 'floor' }, null],
    ]);
  });

  test('a location that holds stock is not deleted; an emptied one is, and the ledger keeps its name', async () => {
    newStore();
    const id = product();
    const shop = await location('Shop', 'floor');
    await inventory.adjust(receive(id, 2, { warehouse_location_id: shop.id }), caller);
    const remove = () => inventory.body('DeleteWarehouseLocation', {}, asStaff(storeId), { id: String(shop.id) });
    await expect(remove()).rejects.toMatchObject({ kind: 'invalid', extra: { errors: ['Warehouse location still holds stock'] } });
    await inventory.adjust(receive(id, -2, { warehouse_location_id: shop.id }), caller);
    await remove();
    const { stock_adjustments } = await inventory.list(`warehouse_location_id=${shop.id}`, caller);
    expect(stock_adjustments[0]?.warehouse_location).toEqual({ id: shop.id, name: 'Shop' });
  });

  test('a location that is deleted while stock is put there ends with the stock or without the location, never with both', async () => {
    newStore();
    const id = product();
    for (let round = 0; round < 10; round++) {
      const shop = await location(`Shop ${round}`, 'floor');
      const outcomes = await Promise.allSettled([
        inventory.adjust(receive(id, 1, { warehouse_location_id: shop.id }), caller),
        inventory.body('DeleteWarehouseLocation', {}, asStaff(storeId), { id: String(shop.id) }),
      ]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'invalid' });
    }
  });

  test.each([
    ['no wrapper', {}, 'missing_parameter'],
    ['an empty wrapper', { warehouse_location: {} }, 'missing_parameter'],
    ['nothing that is known (D48)', { warehouse_location: { colour: 'red' } }, 'missing_parameter'],
    ['a scalar wrapper', { warehouse_location: 'x' }, 'missing_parameter'],
    ['no name', { warehouse_location: { kind: 'back' } }, 'invalid'],
    ['a blank name', { warehouse_location: { name: ' ', kind: 'back' } }, 'invalid'],
    ['an unknown kind', { warehouse_location: { name: 'Roof', kind: 'roof' } }, 'invalid'],
    ['a name that is an object', { warehouse_location: { name: {} } }, 'invalid'],
  ])('a location with %s is refused', async (_what, body, kind) => {
    await expect(inventory.body('CreateWarehouseLocation', body, asStaff(storeId))).rejects.toMatchObject({ kind });
  });

  test('a name that is taken in the store is a 422, on create and on rename', async () => {
    newStore();
    await location('Shop', 'floor');
    const other = await location('Cellar', 'back');
    await expect(location('Shop', 'floor')).rejects.toMatchObject({ extra: { errors: ['Name has already been taken'] } });
    const rename = inventory.body('UpdateWarehouseLocation', { warehouse_location: { name: 'Shop' } }, asStaff(storeId), {
      id: String(other.id),
    });
    await expect(rename).rejects.toMatchObject({ extra: { errors: ['Name has already been taken'] } });
  });

  test('the list is sorted by code point and ends at 500 (D44)', async () => {
    newStore();
    for (const name of ['b', 'ä', 'Z', 'A']) await location(name, 'back');
    const list = async (): Promise<LocationJson[]> =>
      (await inventory.query('ListWarehouseLocations', '', asStaff(storeId))).warehouse_locations;
    expect((await list()).map(({ name }) => name)).toEqual(['A', 'Z', 'b', 'ä']);
    await inventory.run(
      `insert into inventory.warehouse_locations (store_id, name, kind, created_at, updated_at)
       select $1, 'Shelf ' || n, 'back', clock_timestamp(), clock_timestamp() from generate_series(1, 500) n`,
      [storeId],
    );
    expect(await list()).toHaveLength(500);
  });

  test('a race for a name has one winner; the others get a 409 or find the name taken (D27)', async () => {
    newStore();
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => location('Shop', 'floor')));
    const [winner, ...others] = attempts.toSorted((a, b) => (a.status < b.status ? -1 : 1));
    expect(winner!.status).toBe('fulfilled');
    for (const other of others) expect(other).toMatchObject({ reason: { kind: expect.stringMatching(/^(conflict|invalid)$/) } });
    const [event] = await inventory.events(storeId);
    expect(event).toMatchObject({ name: 'warehouse_location.created', aggregate: expect.stringMatching(/^warehouse_location:\d+$/) });
  });
});
