/** POST /customers/:id/merge: everything moves, nothing is lost or made, and what names the other reaches the one that stays. */
import { describe, expect, test } from '@jest/globals';
import { type Json, problemOf, saleMessage } from '@store/testbed';
import { customers, issue, key, shareCustomers, staff, storeId } from '../../test/customers-under-test.ts';

shareCustomers(['customers', 'loyalty']);

const create = (customer: object): Promise<Json> => customers.create(customer, key, { force_create: true });
const merge = async (id: number, customer_id: unknown): Promise<Json> =>
  (await customers.body('MergeCustomers', { customer_id }, staff, { id })).customer;
const take = (intent_id: number, customer_id: number, amount: string, sale_id: number): Promise<Json> =>
  customers.call('TakeStoreCredit', { intent_id, sale_id, customer_id, amount }, staff);
/** Of all customers of the store, with the ends of the ledgers. */
const sums = async () =>
  (
    await customers.run<Json>(
      `select sum(store_credit_balance)::text as credit, sum(loyalty_points)::int as points, sum(lifetime_spend)::text as spend,
         sum(visit_count)::int as visits,
         (select sum(amount)::text from customers.store_credit_transactions where store_id = $1) as credit_moved,
         (select sum(points)::int from customers.loyalty_movements where store_id = $1) as points_moved
       from customers.customers where store_id = $1`,
      [storeId],
    )
  )[0]!;

test('each blank field takes the value of the other, and no other field does', async () => {
  const address = { address_line1: '1 High St', address_line2: 'Flat 2', city: 'York', province: 'YK', postal_code: 'Y1', country: 'UK' };
  const values = { email: 'maya@example.com', loyalty_card_number: 'L-1', date_of_birth: '1990-01-02', notes: 'Tea', ...address };
  const theirs = { name: 'M. Lee', phone: '5550002222', email_receipt_opt_in: true, ...values };
  const mine = { name: 'Maya Lee', phone: '5550001111', email_receipt_opt_in: false };
  const [maya, other] = [await customers.create(mine, staff), await customers.create(theirs, staff)];
  expect(await merge(maya.id, other.id)).toMatchObject({ ...values, ...mine });
});

test('an address is that of one of them, and no line of the other', async () => {
  const [mine, theirs] = [
    { address_line1: '12 Oak Road', city: 'York' },
    { address_line1: 'Mill House', address_line2: 'Flat 4', city: 'Leeds', country: 'UK' },
  ];
  const [maya, other] = [
    await customers.create({ name: 'Maya Lee', phone: '5550001111', ...mine }, staff),
    await customers.create({ name: 'M. Lee', phone: '5550002222', ...theirs }, staff),
  ];
  const { address_line2, country, ...kept } = await merge(maya.id, other.id);
  expect(kept).toMatchObject(mine);
  expect([address_line2, country]).toEqual([undefined, undefined]);
});

test('points, credit, spend, visits and gaps move; the other is a 404 naming this one', async () => {
  const maya = await create({ name: 'Maya Lee', phone: '5550001111' });
  const cards = { loyalty_card_number: 'L-1', external_id: 'crm-1' };
  const other = await create({ name: 'M. Lee', email: 'maya@example.com', phone: '5550002222', ...cards });
  await issue(maya.id, '5');
  await issue(other.id, '12.50');
  await customers.publish(saleMessage(storeId, 'completed', { id: 1, customer_id: other.id, total: '20.00', subtotal: '20.00' }));
  const before = await sums();
  const events = await customers.eventsOf(storeId, () => merge(maya.id, other.id));
  expect(events.map(({ aggregate, body, audit }) => [aggregate, body.data.id, audit!.action])).toEqual([
    [`customer:${other.id}`, other.id, 'customer.merge'],
    [`customer:${maya.id}`, maya.id, 'customer.merge'],
  ]);
  expect(events[0]).toMatchObject({ body: { data: { id: other.id } }, internal: { customer: { archived: true, merged_into: maya.id } } });
  expect(await sums()).toEqual(before);
  const contacts = { phone: '5550001111', email: 'maya@example.com', loyalty_card_number: 'L-1' };
  const moved = { store_credit_balance: '17.50', lifetime_spend: '20.00', visit_count: 1, loyalty_points: 20 };
  expect(await customers.get(maya.id)).toMatchObject({ ...contacts, ...moved });
  expect(await customers.names('external_id=crm-1')).toEqual(['Maya Lee']);
  expect((await customers.list()).pagination.total_count).toBe(1);
  for (const work of [() => customers.get(other.id), () => customers.patch(other.id, { notes: 'x' }), () => customers.restore(other.id)]) {
    const { status, extra } = await problemOf(work());
    expect([status, extra.merged_into]).toEqual([404, maya.id]);
  }
  const ledger = (id: number) => customers.byId('ListStoreCreditTransactions', id, staff);
  const points = async (id: number) => (await customers.byId('ListLoyaltyTransactions', id, key)).transactions;
  const [from, into] = [`Merged from ${other.customer_code}`, `Merged into ${maya.customer_code}`];
  expect(await points(maya.id)).toMatchObject([
    { points: 20, points_after: 20, reason: from },
    { points: -20, points_after: 0, reason: into, merged_from: other.id },
    { transaction_type: 'sale', points: 20, points_before: 0, points_after: 20, sale_id: 1, merged_from: other.id },
  ]);
  expect((await points(maya.id))[0]).not.toHaveProperty('merged_from');
  expect((await problemOf(points(other.id))).extra.merged_into).toBe(maya.id);
  expect((await ledger(maya.id)).transactions.map((row: Json) => [row.amount, row.merged_from])).toEqual([
    [12.5, undefined],
    [-12.5, other.id],
    [12.5, other.id],
    [5, undefined],
  ]);
  expect((await ledger(maya.id)).transactions[0]).toMatchObject({ amount: 12.5, balance_after: 17.5, notes: from });
  expect((await ledger(other.id)).transactions[0]).toMatchObject({ amount: -12.5, balance_after: 0, notes: into });
});

describe('what names the other afterwards', () => {
  test('a sale under way takes credit from the one that stays; its void gives it back', async () => {
    const [maya, other] = [await create({ name: 'Maya' }), await create({ name: 'M' })];
    await issue(other.id, '30');
    await take(1, other.id, '10.00', 71);
    await merge(maya.id, other.id);
    await take(2, other.id, '5.00', 72);
    expect((await customers.get(maya.id)).store_credit_balance).toBe('15.00');
    const paid = (id: number, store_credit: string) => ({ id, customer_id: other.id, store_credit });
    await customers.publish(saleMessage(storeId, 'completed', paid(72, '5.00')), saleMessage(storeId, 'voided', paid(71, '10.00')));
    expect(await customers.get(maya.id)).toMatchObject({ store_credit_balance: '25.00', visit_count: 1 });
    await customers.publish(saleMessage(storeId, 'voided', paid(72, '5.00')));
    expect(await customers.get(maya.id)).toMatchObject({ store_credit_balance: '30.00', visit_count: 0, lifetime_spend: '0.00' });
  });

  test('a sale from before is taken back from the one that stays, through two merges', async () => {
    const [first, second, third] = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })];
    await customers.publish(saleMessage(storeId, 'completed', { id: 5, customer_id: first.id }));
    await merge(second.id, first.id);
    await merge(third.id, second.id);
    expect((await problemOf(customers.get(first.id))).extra.merged_into).toBe(third.id);
    expect(await customers.get(third.id)).toMatchObject({ visit_count: 1 });
    await customers.publish(saleMessage(storeId, 'voided', { id: 5, customer_id: first.id }));
    expect(await customers.get(third.id)).toMatchObject({ visit_count: 0, lifetime_spend: '0.00', loyalty_points: 0 });
  });
});

test('merges, sales and takes at once lose and make no cent and no point', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, (_, n) => create({ name: `P${n}` })));
  for (const { id } of people) await issue(id, '50');
  const [kept, ...others] = people.map(({ id }) => id as number);
  let taken = 0;
  const takes = Array.from({ length: 12 }, (_, n) =>
    take(100 + n, people[n % 4]!.id, '1.25', 500 + n).then(
      () => (taken += 125),
      () => undefined,
    ),
  );
  const sales = Array.from({ length: 8 }, (_, n) =>
    customers.publish(
      saleMessage(storeId, 'completed', { id: 900 + n, customer_id: people[n % 4]!.id, total: '10.00', subtotal: '10.00' }),
    ),
  );
  const merges = others.map((id) => merge(kept!, id));
  await Promise.all([...takes, ...sales, ...merges]);
  const after = await sums();
  expect(after).toMatchObject({ credit: (200 - taken / 100).toFixed(2), spend: '80.00', visits: 8, points: 80, points_moved: 80 });
  expect(after.credit_moved).toBe(after.credit);
  expect(taken).toBe(1_500);
  const one = await customers.get(kept!);
  expect(one).toMatchObject({ store_credit_balance: after.credit, lifetime_spend: '80.00', visit_count: 8, loyalty_points: 80 });
});

test('itself, what is not there and what was merged are refused', async () => {
  const [maya, other] = [await create({ name: 'Maya' }), await create({ name: 'M' })];
  expect((await customers.refusal(merge(maya.id, maya.id))).errors).toEqual(["Customer can't be merged into itself"]);
  for (const wrong of [999_999, 'x', '', null, [1]]) expect(await customers.refusal(merge(maya.id, wrong))).toMatchObject({ status: 404 });
  expect((await customers.refusal(customers.body('MergeCustomers', {}, staff, { id: maya.id }))).status).toBe(400);
  await merge(maya.id, other.id);
  expect((await problemOf(merge(maya.id, other.id))).extra.merged_into).toBe(maya.id);
  expect((await problemOf(merge(other.id, maya.id))).extra.merged_into).toBe(maya.id);
});
