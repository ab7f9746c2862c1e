/** Random states of the delivery engine as rows of the real tables, and the same states for the model. */
import fc from 'fast-check';
import type { DeliveryState, SubscriptionState } from '../src/deliveries/attempt-ended.ts';
import type { Outcome } from '../src/receivers/types.ts';
import { storeSecret } from '../src/secrets.ts';
import { failed, status } from './engine-histories.ts';
import type { webhooks } from './webhooks-under-test.ts';

export interface Row {
  id: number;
  subscription: number;
  record: string;
  delivery: DeliveryState;
  held: boolean;
  firstPending: boolean;
  /** While it is claimed. */
  leaseUntilMs: number | null;
  owner: number;
  /** The result with which a test ends its attempt, and its position among the others. */
  outcome: Outcome;
  endsAfterMs: number;
  /** Another process holds its lease by then. */
  stale: boolean;
}

export interface Rows {
  subscriptions: Map<number, SubscriptionState>;
  rows: Row[];
}

/** Owner of leases whose process is dead. */
export const deadOwner = 13;
const aliveOwner = 7;
export const storeId = 1;
export const tokenOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;

/** Exactly at a limit, next to it and far from it, which reveals off-by-one comparisons. */
const moment = fc.constantFrom(-60_000, -1, 0, 1, 60_000);
const outcome = fc.oneof(
  fc.constantFrom(200, 204, 301, 404, 410, 429, 500, 503).map(status),
  fc.constantFrom('timeout', 'refused', 'reset', 'dns', 'tls', 'blocked', 'not_https').map((reason) => failed(reason as 'timeout')),
);
const delivery = fc.record({
  leased: fc.boolean(),
  dueInMs: moment,
  leaseInMs: moment,
  manual: fc.nat(3).map((n) => n === 0),
  attempts: fc.nat(4),
  record: fc.constantFrom('catalog.events:1', 'catalog.events:2', 'inventory.events:1'),
  dead: fc.nat(3).map((n) => n === 0),
  stale: fc.nat(5).map((n) => n === 0),
  outcome,
  endsAfterMs: fc.nat(20),
});
const subscription = fc.record({
  active: fc.nat(3).map((n) => n > 0),
  deleted: fc.nat(7).map((n) => n === 0),
  revoked: fc.nat(7).map((n) => n === 0),
  expiresInMs: fc.option(moment, { freq: 2 }),
  failureCount: fc.nat(6),
  replayFailures: fc.nat(5),
  // More than ten, so that a subscription's slots can all be in use.
  deliveries: fc.array(delivery, { maxLength: 16, size: 'max' }),
});

type Drawn = { subscriptions: ReturnType<typeof subscription.generate>['value'][]; nowMs: number };

/** `now` is that of the injected clock. */
export const anyRows = (nowMs: number): fc.Arbitrary<Rows> =>
  fc.array(subscription, { minLength: 1, maxLength: 4 }).map((subscriptions) => rowsOf({ subscriptions, nowMs }));

function rowsOf({ subscriptions, nowMs }: Drawn): Rows {
  const rows: Row[] = [];
  const states = new Map<number, SubscriptionState>();
  for (const [index, drawn] of subscriptions.entries()) {
    const number = index + 1;
    const { active, deleted, failureCount, replayFailures, revoked, expiresInMs, deliveries } = drawn;
    states.set(number, {
      ...{ active, deleted, failureCount, replayFailures },
      disabledAtMs: active ? null : nowMs - 5_000,
      keyRevokedAtMs: revoked ? nowMs - 1_000 : null,
      keyExpiresAtMs: expiresInMs === null ? null : nowMs + expiresInMs,
    });
    const busy = new Set<string>();
    for (const one of deliveries) {
      const { attempts, record, manual, outcome, endsAfterMs, stale } = one;
      // As fan-out and the engine ensure: one first attempt per record, the others wait behind it.
      const firstPending = attempts === 0;
      const held = firstPending && busy.has(record);
      if (firstPending) busy.add(record);
      const leased = one.leased && !held;
      const dueAtMs = nowMs + (leased ? -60_000 : one.dueInMs);
      rows.push({
        ...{ id: rows.length + 1, subscription: number, record, held, firstPending, outcome, endsAfterMs, stale },
        delivery: { state: leased ? 'leased' : 'pending', attempts, dueAtMs, manual },
        leaseUntilMs: leased ? nowMs + one.leaseInMs : null,
        owner: one.dead ? deadOwner : aliveOwner,
      });
    }
  }
  return { subscriptions: states, rows };
}

/** Inserts them into empty tables; a claimed row has its open attempt, with the row's id. */
export async function putRows({ db, app }: Pick<typeof webhooks, 'db' | 'app'>, { subscriptions, rows }: Rows): Promise<void> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const nowMs = db.clock.now().getTime();
  const created_at = at(nowMs);
  const put = async (table: string, values: object[]) => {
    if (values.length === 0) return;
    const columns = Object.keys(values[0]!).join(', ');
    const records = `jsonb_populate_recordset(null::webhooks.${table}, $1::jsonb)`;
    await db.read(`insert into webhooks.${table} (${columns}) overriding system value select ${columns} from ${records}`, [
      JSON.stringify(values),
    ]);
  };
  await db.read('truncate webhooks.subscriptions, webhooks.subscription_secrets, webhooks.events, webhooks.deliveries');
  await db.read('truncate webhooks.attempts, webhooks.notices restart identity');
  await put(
    'subscriptions',
    [...subscriptions].map(([id, state]) => ({
      ...{ id, store_id: storeId, key_id: 12, key_name: 'k', url: `https://${id}.shop-erp.com/`, events: [], active: state.active },
      failure_count: state.failureCount,
      replay_failures: state.replayFailures,
      disabled_at: at(state.disabledAtMs),
      deleted_at: state.deleted ? created_at : null,
      key_revoked_at: at(state.keyRevokedAtMs),
      key_expires_at: at(state.keyExpiresAtMs),
      ...{ created_at, updated_at: created_at },
    })),
  );
  await db.unit(0, async (em) => {
    for (const id of subscriptions.keys()) await storeSecret(em, app.keyRing, { storeId, subscriptionId: id }, 1, 'whsec_AAAA');
  });
  const name = 'product.updated';
  await put(
    'events',
    rows.map(({ id, record }) => ({ store_id: storeId, sequence: id, event_id: tokenOf(id), name, record, body: '{}', created_at })),
  );
  const leased = rows.filter(({ delivery }) => delivery.state === 'leased');
  const startedAt = at(nowMs - 1_000);
  await put(
    'attempts',
    leased.map(({ id, subscription, delivery }) => ({
      ...{ store_id: storeId, id, subscription_id: subscription, delivery_id: id, number: delivery.attempts + 1 },
      ...{ event: name, created_at: startedAt },
    })),
  );
  await put(
    'deliveries',
    rows.map(({ id, subscription, record, delivery, held, firstPending, leaseUntilMs, owner }) => ({
      ...{ id, store_id: storeId, subscription_id: subscription, sequence: id, record, held, first_pending: firstPending, created_at },
      ...{ state: delivery.state, attempts: delivery.attempts, due_at: at(delivery.dueAtMs), manual: delivery.manual, secret_version: 1 },
      lease_until: at(leaseUntilMs),
      lease_token: delivery.state === 'leased' ? tokenOf(id) : null,
      lease_owner: owner,
    })),
  );
  // Attempts that the engine writes itself get later ids.
  await db.read('alter table webhooks.attempts alter column id restart with 1000');
}

/** The part of a delivery and its subscription that the model and the test's own rules determine. */
export function seen(rows: Rows): object {
  return {
    deliveries: rows.rows.map(({ id, delivery, held, firstPending }) => ({
      id,
      state: delivery.state,
      attempts: delivery.attempts,
      // Meaningless once the delivery has ended.
      due_ms: ['pending', 'leased'].includes(delivery.state) ? delivery.dueAtMs : null,
      held,
      first_pending: firstPending,
      leased: delivery.state === 'leased',
      ended: !['pending', 'leased'].includes(delivery.state),
    })),
    subscriptions: [...rows.subscriptions].map(([id, { active, failureCount, replayFailures, disabledAtMs }]) => ({
      id,
      active,
      failure_count: failureCount,
      replay_failures: replayFailures,
      disabled_ms: disabledAtMs,
    })),
  };
}

/** The same, read from the tables. */
export async function tables({ db }: Pick<typeof webhooks, 'db'>): Promise<object> {
  return {
    deliveries:
      await db.read(`select id::int, state, attempts, case when state in ('pending', 'leased') then (extract(epoch from due_at) * 1000)::float8 end as due_ms,
         held, first_pending, lease_token is not null and lease_until is not null as leased, ended_at is not null as ended
       from webhooks.deliveries order by id`),
    subscriptions:
      await db.read(`select id::int, active, failure_count, replay_failures, (extract(epoch from disabled_at) * 1000)::float8 as disabled_ms
       from webhooks.subscriptions order by id`),
  };
}
