/** The register goes on selling while stock, customers and Kafka are away, and everything catches up once (D164, D165). */
import { expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { type Answer, succeed } from '../kit/http.ts';
import { type OwnServer, ownKafka } from '../kit/own-servers.ts';
import { useFleet } from '../kit/use.ts';

const startMs = 120_000;
const caughtUpWithinMs = 60_000;

describeWithKafka('selling', () => {
  let kafka: OwnServer;
  const world = useFleet(async (opened) => {
    kafka = await opened(ownKafka());
    return { env: { KAFKA_BROKERS: kafka.address } };
  });

  const staff = (method: string, path: string, body: object, idempotencyKey?: string): Promise<Answer> =>
    world.call(method, `${path}`, { token: world.token, body, ...(idempotencyKey && { idempotencyKey }) });
  const create = (path: string, body: object) => succeed('POST', `${world.api[0]}${path}`, { token: world.token, body });
  const one = async <Row>(text: string): Promise<Row> => (await world.database.query(text)).rows[0];

  test(
    'with inventory, customers and Kafka down every sale is recorded, once',
    async () => {
      const { product } = await create('/products', { product: { name: 'Tea', price: '4.00' } });
      const { customer } = await create('/customers', { customer: { name: 'Maya Lee', email: 'maya@selling.example' } });
      const sale = { customer_id: customer.id, line_items: [{ product_id: product.id, quantity: 2 }] };
      // The register has the customer in its copy from then on.
      await create('/sales', { sale });
      await kafka.crash();
      await Promise.all(['inventory', 'customers'].map((name) => world.fleet.member(name).kill()));

      const sales = await Promise.all(Array.from({ length: 20 }, () => create('/sales', { sale })));
      const parked = await create('/sales', { sale: { ...sale, status: 'pending' } });
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
