/** The event log, which holds the bodies of webhooks. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { newCustomer, newProduct } from '../made.ts';
import { holds, same } from '../outcome.ts';

const { read, write, staffWrite } = areaOf('events');
const scopes = ['webhooks:manage'];
const writes = [...scopes, 'products:read', 'products:write'];

interface Logged {
  sequence: number;
  id: string;
  event: string;
  resource_type: string;
  resource_id: number;
  created_at: string;
  data: Record<string, unknown>;
}
const resourceTypes = ['Product', 'Customer', 'Sale', 'InventoryTransaction', 'PurchaseOrder'];
const beyond = Number.MAX_SAFE_INTEGER;

const page = async (
  kit: Kit,
  query: string,
): Promise<{ events: Logged[]; next_after: number; has_more: boolean; latest_sequence: number }> =>
  (await kit.send('GET', `/events?${query}`)).body.data;
const latest = async (kit: Kit) => (await page(kit, `after=${beyond}&per_page=1`)).latest_sequence;

/** The first event of that name about the record, after that sequence. */
const awaited = (kit: Kit, after: number, name: string, is: (event: Logged) => boolean) =>
  kit.eventually(
    async () => (await page(kit, `after=${after}&types=${name}&per_page=100`)).events.find(is),
    `no ${name} came within 30 seconds`,
  );

const recent = async (kit: Kit) => page(kit, `after=${Math.max(0, (await latest(kit)) - 100)}&per_page=100`);

export const eventChecks = [
  read('GET /events', 'data has events, next_after, has_more and latest_sequence.', scopes, async (kit) => {
    same('its keys', Object.keys(await kit.data('/events?per_page=1')).sort(), ['events', 'has_more', 'latest_sequence', 'next_after']);
  }),
  read(
    'GET /events',
    'Events are in the order of their sequence, and each is after the number that was asked for.',
    scopes,
    async (kit) => {
      const sequences = (await recent(kit)).events.map(({ sequence }) => sequence);
      same(
        'sequences',
        sequences,
        [...new Set(sequences)].sort((one, two) => one - two),
      );
    },
  ),
  read('GET /events', 'An event has id, event, resource_type, resource_id, created_at and data.', scopes, async (kit) => {
    for (const event of (await recent(kit)).events) {
      same(`the keys of event ${event.sequence}`, Object.keys(event), [
        'sequence',
        'id',
        'event',
        'resource_type',
        'resource_id',
        'created_at',
        'data',
      ]);
      holds(resourceTypes.includes(event.resource_type), `event ${event.sequence} has the resource_type ${event.resource_type}`);
    }
  }),
  read('GET /events', 'Events never hold cost fields.', scopes, async (kit) => {
    for (const { sequence, event, data } of (await recent(kit)).events.filter((one) => one.event.startsWith('product.'))) {
      same(
        `costs in event ${sequence} (${event})`,
        ['cost', 'average_cost', 'wholesale_price'].filter((name) => name in data),
        [],
      );
    }
  }),
  read('GET /events?types=', 'types filters by the names of events.', scopes, async (kit) => {
    const { events } = await page(kit, `after=${Math.max(0, (await latest(kit)) - 100)}&types=product.created,product.updated`);
    same(
      'others',
      events.filter(({ event }) => !['product.created', 'product.updated'].includes(event)),
      [],
    );
  }),
  read('GET /events', 'Beyond the last event the page is empty and latest_sequence is still true.', scopes, async (kit) => {
    const { events, has_more } = await page(kit, `after=${beyond}`);
    same('events and has_more', [events, has_more], [[], false]);
  }),
  read('GET /events?after=abc', 'An after that is no number is a 422.', scopes, async (kit) =>
    same('the status', (await kit.get('/events?after=abc')).status, 422),
  ),
  write(
    'product.created',
    'product.created is in the log once, with the product as GET answers it, without costs.',
    writes,
    async (kit) => {
      const after = await latest(kit);
      const { id } = await newProduct(kit, { cost: '0.50' });
      const { data, resource_type } = await awaited(kit, after, 'product.created', ({ resource_id }) => resource_id === id);
      const shown = (await kit.send('GET', `/products/${id}`)).body.data;
      for (const name of ['cost', 'average_cost', 'wholesale_price']) delete shown[name];
      same('type and data', [resource_type, data], ['Product', shown]);
    },
  ),
  write('product.updated', 'product.updated fires when a product is updated.', writes, async (kit) => {
    const { id, sku } = await newProduct(kit);
    const after = await latest(kit);
    await kit.send('POST', '/products/bulk_upsert', { body: { products: [{ sku, price: '8.88' }] } });
    const { data } = await awaited(
      kit,
      after,
      'product.updated',
      ({ resource_id, data: { price } }) => resource_id === id && price === '8.88',
    );
    same('price', data.price, '8.88');
  }),
  write(
    'inventory.adjusted',
    'inventory.adjusted fires for each ledger row, with old_stock, new_stock and stock_change.',
    [...writes, 'inventory:write', 'inventory:read'],
    async (kit) => {
      const { id } = await newProduct(kit);
      const after = await latest(kit);
      await kit.send('POST', '/stock_adjustments', { body: { product_id: id, adjustment_type: 'receive', quantity_change: 3 } });
      const { resource_type, data } = await awaited(kit, after, 'inventory.adjusted', (event) => event.data.product_id === id);
      same(
        'type, stock and type of change',
        [resource_type, data.old_stock, data.new_stock, data.stock_change, data.transaction_type],
        ['InventoryTransaction', 0, 3, 3, 'receive'],
      );
    },
  ),
  staffWrite('product.deleted', 'product.deleted has the id alone.', writes, async (kit) => {
    const { id } = await newProduct(kit);
    const after = await latest(kit);
    await kit.staff.send('DELETE', `/products/${id}`);
    const { data } = await awaited(kit, after, 'product.deleted', ({ resource_id }) => resource_id === id);
    await kit.staff.send('POST', `/products/${id}/restore`);
    same('data', data, { id });
  }),
  staffWrite(
    'customer.updated',
    'When a customer is archived, customer.updated has the id alone.',
    [...scopes, 'customers:read', 'customers:write'],
    async (kit) => {
      const { id } = await newCustomer(kit);
      const after = await latest(kit);
      await kit.staff.send('DELETE', `/customers/${id}`);
      const { data } = await awaited(kit, after, 'customer.updated', ({ resource_id }) => resource_id === id);
      same('data', data, { id });
    },
  ),
];
