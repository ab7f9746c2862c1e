import { expect, test } from '@jest/globals';
import { InProcessTransport, type Message } from '@store/events';
import type { InventoryDefinition } from '@store/protos/inventory/v1.ts';
import { client, connect, serve } from '@store/rpc';
import { BadConfig } from '@store/service';
import { logNothing, testDatabase, testKeys, testTrust } from '@store/testbed';
import { start } from '../src/main.ts';
import { FakeCatalog } from './fake-catalog.ts';
import { asStaff, callerOf } from './start-inventory.ts';

/** A message of the gateway about a member of staff. */
function staffMessage(storeId: number, id: number, name: string): Message {
  return {
    id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    topic: 'gateway.events',
    storeId,
    name: 'staff_user.created',
    aggregate: `staff_user:${id}`,
    public: null,
    internal: {
      audit: { action: 'staff_user.create', resource_type: 'StaffUser', resource_id: id, before: null, after: { name }, ip: '' },
    },
    actor: { type: 'system', key: null, user: null },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
  };
}

/** Resolves with what arrives on inventory.events once `count` messages have. */
async function listen(transport: InProcessTransport, count: number): Promise<{ arrived: Promise<Message[]> }> {
  const got: Message[] = [];
  const { promise, resolve } = Promise.withResolvers<Message[]>();
  const handle = async (batch: Message[]) => {
    got.push(...batch);
    if (got.length >= count) resolve(got);
  };
  await transport.subscribe({ group: 'test', topics: ['inventory.events'], handle });
  return { arrived: promise };
}

test('started by itself, it asks catalog over gRPC, sends its events on, knows staff by name, and stops', async () => {
  const database = await testDatabase('inventory_start', async () => undefined);
  const catalog = new FakeCatalog();
  catalog.products.set(1, { storeId: 1, name: 'Tea' });
  const catalogServer = await serve(
    {
      'store.catalog.v1.Catalog': {
        GetStockProducts: catalog.GetStockProducts.bind(catalog),
        ApplyStock: catalog.ApplyStock.bind(catalog),
        SetPrice: catalog.SetPrice.bind(catalog),
      },
    },
    { listen: '127.0.0.1:0', trust: testTrust(undefined, { caller: 'inventory', called: 'catalog' }), log: logNothing },
  );
  const transport = new InProcessTransport();
  const { arrived } = await listen(transport, 2);
  const env = {
    DATABASE_URL: database.url,
    CATALOG_ADDRESS: catalogServer.address,
    INVENTORY_LISTEN: '127.0.0.1:0',
    ...testKeys('inventory'),
  };
  const running = await start({ env, log: logNothing, transport });
  const channel = connect(running.address, testTrust(undefined, { caller: 'gateway', called: 'inventory' }));
  try {
    const inventory = client<InventoryDefinition>(channel, 'store.inventory.v1.Inventory');
    const by = (caller = callerOf(1)) => ({ caller, deadlineMs: Date.now() + 60_000 });
    const { stock_adjustment } = await inventory.CreateStockAdjustment(
      { product_id: '1', adjustment_type: 'receive', quantity_change: '4' },
      by(),
    );
    expect(stock_adjustment).toMatchObject({ product_name: 'Tea', quantity_after: 4 });
    expect(catalog.applied).toHaveLength(1);

    await transport.publish([staffMessage(1, 42, 'Olga Owner'), staffMessage(2, 43, 'Stranger')]);
    const lines = [{ product_id: '1', counted_quantity: '3' }];
    const counted = await inventory.CreateStockReconciliation({ stock_reconciliation: { lines, approved_by_id: '42' } }, by(asStaff(1)));
    expect(counted.stock_reconciliation!.stock_adjustments![0]!.approved_by).toEqual({ id: '42', name: 'Olga Owner' });
    const byStranger = inventory.CreateStockReconciliation({ stock_reconciliation: { lines, approved_by_id: '43' } }, by(asStaff(1)));
    await expect(byStranger).rejects.toMatchObject({ kind: 'invalid', extra: { errors: ['Approved by is not a member of staff'] } });

    const messages = await arrived;
    expect(messages.map(({ name, internal }) => [name, internal?.stock])).toEqual([
      ['inventory.adjusted', { product_id: 1, stock: '4.000', version: 1 }],
      ['inventory.adjusted', { product_id: 1, stock: '3.000', version: 2 }],
    ]);
  } finally {
    channel.close();
    await running.stop();
    await catalogServer.stop();
    await database.close();
  }
});

test('a bad configuration stops the start and names every bad variable', async () => {
  const env = { DATABASE_URL: 'mysql://x', DATABASE_POOL_MAX: 'many' };
  const attempt = start({ env, log: logNothing, transport: new InProcessTransport() });
  await expect(attempt).rejects.toThrow(BadConfig);
  await expect(attempt).rejects.toThrow(/DATABASE_URL[\s\S]*DATABASE_POOL_MAX/);
});
