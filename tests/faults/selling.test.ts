/** The register goes on selling while stock, customers and Kafka are away, and everything catches up once (D164, D165). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { type Asked, ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { type OwnServer, ownKafka } from './own-servers.ts';

const startMs = 120_000;
const caughtUpWithinMs = 60_000;

describeWithKafka('selling', () => {
  let kafka: OwnServer;
  let world: FleetWorld;
  beforeAll(async () => {
    kafka = await ownKafka();
    world = await openFleetWorld({ env: { KAFKA_BROKERS: kafka.address } });
  }, startMs);
  afterAll(async () => {
    await world?.close();
    await kafka.close();
  }, startMs);

  const staff = (method: string, path: string, body: object, idempotencyKey?: string): Promise<Asked> =>
    ask(`${world.api[0]}${path}`, { method, token: world.token, body: JSON.stringify(body), ...(idempotencyKey && { idempotencyKey }) });
  // biome-ignore lint/suspicious/noExplicitAny: a body is read as a client does.
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await staff('POST', path, body);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  };
  const one = async <Row>(text: string): Promise<Row> => (await world.database.query(text)).rows[0];

  test(
    'with inventory, customers and Kafka down every sale and void is recorded; when they are back nothing is lost or doubled',
    async () => {
      const { product } = await made('/products', { product: { name: 'Tea', price: '4.00' } });
      const { customer } = await made('/customers', { customer: { name: 'Maya Lee', email: 'maya@selling.example' } });
      const sale = { customer_id: customer.id, line_items: [{ product_id: product.id, quantity: 2 }] };
      // The register has the customer in its copy from then on.
      await made('/sales', { sale });
      await kafka.crash();
      await Promise.all(['inventory', 'customers'].map((name) => world.fleet.member(name).kill()));

      const sales = await Promise.all(Array.from({ length: 20 }, () => made('/sales', { sale })));
      const parked = await made('/sales', { sale: { ...sale, status: 'pending' } });
      const voided = await Promise.all(
        sales.slice(0, 5).map((sold) => staff('PATCH', `/sales/${sold.sale.id}`, { sale: { status: 'voided' } })),
      );
      expect(voided.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect((await staff('PATCH', `/sales/${parked.sale.id}`, { sale: { status: 'completed' } })).status).toBe(200);
      const retried = await Promise.all([1, 2, 3].map(() => staff('POST', '/sales', { sale }, 'selling-1')));
      expect(new Set(retried.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      const onCredit = await staff('POST', '/sales', { sale: { ...sale, payment_method: 'store_credit' } });
      expect(onCredit.status).toBe(500);

      await kafka.start();
      for (const name of ['inventory', 'customers']) world.fleet.member(name).start();
      // 1 before, 20, the parked one and the one that was retried, less the 5 that were voided.
      const standing = 18;
      await until(async () => {
        const { spend } = await one<{ spend: string }>(
          `select lifetime_spend::text as spend from customers.customers where id = ${customer.id}`,
        );
        const { stock } = await one<{ stock: string }>(`select stock::text as stock from catalog.products where id = ${product.id}`);
        return Number(spend) === standing * 8 && Number(stock) === standing * -2;
      }, caughtUpWithinMs);
      const ledger = await one<{ rows: number; moved: string; types: string }>(
        `select count(*)::int as rows, sum(quantity_change)::text as moved,
           count(*) filter (where adjustment_type = 'void')::text as types
         from inventory.stock_adjustments where product_id = ${product.id}`,
      );
      expect([ledger.rows, Number(ledger.moved), Number(ledger.types)]).toEqual([28, standing * -2, 5]);
      expect(await one(`select visit_count::int as visits from customers.customers where id = ${customer.id}`)).toEqual({
        visits: standing,
      });
      const completed = await one(
        `select count(*)::int as events, count(distinct record)::int as sales from webhooks.events where name = 'sale.completed'`,
      );
      expect(completed).toEqual({ events: 23, sales: 23 });
    },
    startMs,
  );
});
