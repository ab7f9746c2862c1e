/** Every consumer group receives every malformed message, and handles the next one (P7). */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { InProcessTransport, type Internal, type Message, type Subscription } from '@store/events';
import { logNothing } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { startServices } from '../../tools/local/services.ts';
import { newSecrets } from '../kit/stores.ts';
import { openBeforeAll } from '../kit/use.ts';
import { malformedOf } from './malformed.ts';

/** Keeps the subscribers, and delivers nothing by itself. */
class KeepingTransport extends InProcessTransport {
  readonly kept: Subscription[] = [];

  override async subscribe(subscription: Subscription): Promise<void> {
    this.kept.push(subscription);
  }
}

const transport = new KeepingTransport({ held: true });
let client: pg.Client;
openBeforeAll(async (opened) => {
  const database = await opened(migratedDatabase());
  const env = { DATABASE_URL: database.url, GATEWAY_PORT: '0', ...newSecrets() };
  await opened(startServices(env, { log: logNothing, transport }), (services) => services.stop());
  client = await opened(openClient(database.url), (one) => one.end());
});

/** One valid message of each kind. */
function good(kind: keyof typeof kinds): Message {
  const id = randomUUID();
  const { topic, name, resource, internal } = kinds[kind];
  const body = JSON.stringify({
    id,
    event: name,
    resource_type: resource,
    resource_id: 1,
    created_at: '2026-11-21T09:30:00.000Z',
    data: {},
  });
  return {
    id,
    topic,
    storeId: 1,
    name,
    aggregate: '1',
    public: 'public' in kinds[kind] ? Buffer.from(body) : null,
    internal: {
      ...(internal as Internal),
      audit: { action: 'test.change', resource_type: resource, resource_id: 1, before: null, after: { name: 'Ada' }, ip: '127.0.0.1' },
    },
    actor: { type: 'key', key: { id: 1, name: 'Till' }, user: { id: 2, name: 'Ada' } },
    requestId: 'request',
    createdAt: '2026-11-21T09:30:00.000Z',
    version: 1,
  };
}

const kinds = {
  stock: {
    topic: 'inventory.events',
    name: 'inventory.adjusted',
    resource: 'InventoryTransaction',
    public: true,
    internal: { stock: { product_id: 1, stock: '1.000', version: 1 } },
  },
  sale: {
    topic: 'sales.events',
    name: 'sale.completed',
    resource: 'Sale',
    public: true,
    internal: {
      sale: {
        id: 1,
        receipt_number: 'R-1',
        counted: true,
        customer_id: 1,
        subtotal: '1.00',
        discount_amount: '0.00',
        total: '1.00',
        store_credit: '0.00',
        user: { id: 2, name: 'Ada' },
        lines: [{ product_id: 1, product_name: 'Lantern', sku: null, bundle: false, quantity: '1.000' }],
      },
    },
  },
  customer: {
    topic: 'customers.events',
    name: 'customer.updated',
    resource: 'Customer',
    public: true,
    internal: { customer: { id: 1, name: 'Maya', customer_code: 'C10001', email: null, phone: null, archived: false } },
  },
  receipt: {
    topic: 'purchasing.events',
    name: 'purchase_order.receipt',
    resource: 'PurchaseOrder',
    internal: {
      receipt: {
        order_id: 1,
        order_number: 'PO-1',
        number: 1,
        user: { id: 2, name: 'Ada' },
        moved: [{ product_id: 1, product_name: 'Lantern', sku: null, bundle: false, quantity: '1.000' }],
        lines: [
          { line_id: 1, product_id: 1, quantity: '1.000', unit_cost: '1.00', landed_cost: '1.00', received_at: '2026-11-21T09:30:00.000Z' },
        ],
      },
    },
  },
  product: { topic: 'catalog.events', name: 'product.updated', resource: 'Product', public: true, internal: {} },
  store: {
    topic: 'gateway.events',
    name: 'store.changed',
    resource: 'Store',
    internal: { store: { id: 1, timeZone: 'Europe/London', features: ['developer_api'] } },
  },
  staff: { topic: 'gateway.events', name: 'staff_user.created', resource: 'StaffUser', internal: {} },
  revocation: {
    topic: 'gateway.events',
    name: 'key.revoked',
    resource: 'ApiKey',
    internal: { key: { key_id: 1, revoked_at: '2026-11-21T09:30:00.000Z' } },
  },
} as const;

/** `kinds`: what concerns a group and what does not; `schema`: where it records handled events; the key gate alone records a revocation. */
const groups: { group: string; schema?: string; kinds: (keyof typeof kinds)[]; next: keyof typeof kinds }[] = [
  { group: 'catalog', schema: 'catalog', kinds: ['stock', 'receipt', 'store', 'staff'], next: 'store' },
  { group: 'customers', schema: 'customers', kinds: ['sale', 'product', 'store'], next: 'store' },
  { group: 'inventory', schema: 'inventory', kinds: ['sale', 'receipt', 'staff', 'store'], next: 'staff' },
  { group: 'sales', schema: 'sales', kinds: ['customer', 'store'], next: 'store' },
  { group: 'webhooks', schema: 'webhooks', kinds: ['product', 'revocation'], next: 'product' },
  { group: 'gateway', schema: 'gateway', kinds: ['stock', 'revocation'], next: 'product' },
  { group: 'gateway-revocations', kinds: ['revocation', 'store'], next: 'revocation' },
];
const chunk = 40;
const withinMs = 120_000;

test('every consumer group of the product is tried below', () => {
  expect(transport.kept.map(({ group }) => group).sort()).toEqual(groups.map(({ group }) => group).sort());
});

test.each(groups)(
  '$group handles the next message after each malformed one',
  async ({ group, schema, kinds: mine, next }) => {
    const { handle } = transport.kept.find((kept) => kept.group === group)!;
    const bad = mine.flatMap((kind) => malformedOf(good(kind), randomUUID).map((one) => ({ ...one, title: `${kind} ${one.title}` })));
    expect(bad.length).toBeGreaterThan(100);
    const stalled: string[] = [];
    const handles = async (messages: Message[]) => {
      const last = good(next);
      try {
        await handle([...messages, last]);
      } catch {
        return false;
      }
      return !schema || (await client.query(`select from ${schema}.inbox where event_id = $1`, [last.id])).rowCount === 1;
    };
    for (let start = 0; start < bad.length; start += chunk) {
      const some = bad.slice(start, start + chunk);
      if (await handles(some.map(({ message }) => message))) continue;
      for (const { title, message } of some) if (!(await handles([message]))) stalled.push(title);
    }
    expect(stalled).toEqual([]);
  },
  withinMs,
);
