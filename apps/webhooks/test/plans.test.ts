/**
 * What keeps the engine quick among many deliveries: the plans of its statements. They are those that a unit keeps (docs/decisions/0125),
 * made without their values.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import { withClient } from '@store/testbed/with-client';
import { claimDue } from '../src/deliveries/claim.ts';
import { releaseLost, renewLeases } from '../src/deliveries/leases.ts';
import { event, events, failed, minute, respond, shareWebhooks, staffCaller, webhooks } from './webhooks-under-test.ts';

const stores = 2_000;
const subscriptionsEach = 10;
const deliveriesEach = 50;
const atOnceStores = 500;
const filledWithinMs = 120_000;

shareWebhooks();

/** Sent deliveries of many stores, each with its attempt. Without the indexes that only the release before needs. */
async function fill(): Promise<void> {
  const earlier = await webhooks.rows(`select indexname as name from pg_indexes where schemaname = 'webhooks' and indexname ~ '^earlier_'`);
  for (const { name } of earlier) await webhooks.rows(`drop index webhooks.${name}`);
  const created = '2026-11-20T09:30:00Z';
  for (let first = 11; first <= stores + 10; first += atOnceStores)
    await webhooks.rows(
      `with subscribed as (
         insert into webhooks.subscriptions (store_id, key_id, key_name, url, events, created_at, updated_at)
         select s, s, 'k', 'https://hooks.shop-erp.com/in', '{product.created}', $3, $3
         from generate_series($1::int, $2::int) s, generate_series(1, ${subscriptionsEach}) returning store_id, id
       ), secret as (
         insert into webhooks.subscription_secrets (store_id, subscription_id, version, sealed) select store_id, id, 1, '' from subscribed
       ), logged as (
         insert into webhooks.events (store_id, sequence, event_id, name, record, body, created_at)
         select s, n, gen_random_uuid(), 'product.created', n, '{}', $3
         from generate_series($1::int, $2::int) s, generate_series(1, ${deliveriesEach / subscriptionsEach}) n
       ), sent as (
         insert into webhooks.deliveries
           (store_id, subscription_id, sequence, record, state, attempts, first_pending, due_at, secret_version, created_at, ended_at)
         select store_id, id, n, n, 'succeeded', 1, false, $3, 1, $3, $3 from subscribed, generate_series(1, ${deliveriesEach / subscriptionsEach}) n
         returning store_id, id, subscription_id
       )
       insert into webhooks.attempts (store_id, subscription_id, delivery_id, number, event, success, outcome, created_at, ended_at)
       select store_id, subscription_id, id, 1, 'product.created', true, 'response', $3, $3 from sent`,
      [first, first + atOnceStores - 1, created],
    );
  await webhooks.rows('analyze');
}

/** The statements over the engine's tables that `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts = new Set<string>();
  const note = (text: unknown) => void texts.add(String(text));
  subscribe('store.db.asked', note);
  await work().finally(() => unsubscribe('store.db.asked', note));
  return [...texts].filter((text) => /"?webhooks"?\."?(deliveries|attempts|subscriptions|subscription_secrets|events)\b/.test(text));
}

async function plansOf(texts: string[]): Promise<string[]> {
  return withClient(webhooks.url, async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan');
    const plans: string[] = [];
    for (const [n, text] of texts.entries()) {
      await client.query(`prepare p${n} as ${text}`);
      const { rows } = await client.query(`select cardinality(parameter_types) as count from pg_prepared_statements where name = 'p${n}'`);
      const values = Array(rows[0].count).fill('null').join(', ');
      const plan = await client.query<{ 'QUERY PLAN': string }>(`explain execute p${n}${values && `(${values})`}`);
      plans.push([text, ...plan.rows.map((row) => row['QUERY PLAN'])].join('\n'));
    }
    return plans;
  });
}

/** Events, results of every kind, lost leases, a rotation, a replay, a revocation, and what is shown of them. */
async function workOfTheEngine(): Promise<void> {
  const { id } = await webhooks.subscribe();
  webhooks.answer(200, 500, failed('blocked'));
  await webhooks.deliver(...events(3), event({ aggregate: '7' }), event({ aggregate: '7' }));
  await webhooks.after(minute);
  await webhooks.staff('RotateSecret', id);
  webhooks.answer(respond(200));
  await webhooks.replay(id);
  const [gone] = await webhooks.rows('select sequence from webhooks.deliveries where store_id = 1 order by id desc limit 1');
  await webhooks.rows('delete from webhooks.events where store_id = 1 and sequence = $1', [gone.sequence]);
  const { claimed } = (await claimDue(webhooks.app, 0)).claims!;
  await renewLeases(
    webhooks.db,
    claimed.map(({ leaseToken }) => leaseToken),
  );
  webhooks.clock.advance(minute);
  await releaseLost(webhooks.app);
  webhooks.answer(failed('blocked'));
  await webhooks.loop.drain();
  for (const rpc of ['GetSubscription', 'ListDeliveries']) await webhooks.id(rpc, id);
  await webhooks.text('ListRequestEvents', { request_id: 'r' }, staffCaller());
  await webhooks.text('SummarizeDeliveries', {}, staffCaller());
  await webhooks.revokeKey();
}

test(
  'no statement of the engine reads a whole table of 100,000 deliveries',
  async () => {
    await fill();
    const texts = await statementsOf(workOfTheEngine);
    expect(texts.length).toBeGreaterThan(30);
    const plans = await plansOf(texts);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (?:deliveries|attempts|subscription|events)/);
    // A fan-out leaves out what a store has deleted, however much it is.
    expect(plans.find((plan) => /s.events && /.test(plan))).toContain('subscriptions_living');
  },
  filledWithinMs,
);
