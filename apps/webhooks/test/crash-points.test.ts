/** The effect of a crash between any two steps (P3, P13): leases expire, nothing is lost or altered. */
import { expect, test } from '@jest/globals';
import { type Claimed, claimDue } from '../src/deliveries/claim.ts';
import { releaseLost } from '../src/deliveries/leases.ts';
import { recordResults } from '../src/deliveries/record.ts';
import { retryWaitsMs } from '../src/deliveries/schedule.ts';
import { leaseMs } from '../src/deliveries/timing.ts';
import { event, events, hour, respond, shareWebhooks, webhooks } from './webhooks-under-test.ts';

shareWebhooks();

const attempts = () => webhooks.rows('select number, outcome from webhooks.attempts order by id');
const claimAll = async () => (await claimDue({ ...webhooks.app, limiter: webhooks.newLimiter(100) }, 0)).claims!.claimed;
const recordAs = (claimed: Claimed[], status: number) => {
  const results = claimed.map((one) => ({ claimed: one, outcome: respond(status), endedAt: webhooks.clock.now() }));
  return recordResults(webhooks.app, results, { retryWaitsMs });
};
/** The process dies, and its leases run out. */
const die = async (ms = leaseMs) => {
  webhooks.clock.advance(ms);
  await releaseLost(webhooks.app);
};

/** Inserts into a table fail as if PostgreSQL were shut down, while `work` runs. */
async function withDyingInserts(table: string, work: () => Promise<unknown>): Promise<void> {
  await webhooks.rows(
    `create function public.die() returns trigger language plpgsql as $$ begin raise exception using errcode = '57P01'; end $$`,
  );
  await webhooks.rows(`create trigger die before insert on webhooks.${table} for each row execute function public.die()`);
  await expect(work()).rejects.toMatchObject({ kind: 'database' });
  await webhooks.rows('drop function public.die() cascade');
}

test('a crash during the fan-out leaves nothing; the repeated message does all of it', async () => {
  await webhooks.subscribe();
  const sent = event();
  await withDyingInserts('deliveries', () => webhooks.publish(sent));
  expect(await webhooks.rows('select from webhooks.events')).toEqual([]);
  expect(await webhooks.rows('select from webhooks.inbox')).toEqual([]);
  await webhooks.deliver(sent);
  expect(webhooks.received.map(({ body }) => body.toString())).toEqual([sent.public!.toString()]);
});

test('a crash after the claim: the attempt is repeated once its lease has expired', async () => {
  await webhooks.subscribe();
  await webhooks.publish(event());
  const [dead] = await claimAll();
  expect(dead!.number).toBe(1);
  await webhooks.after(leaseMs - 1);
  await die(0);
  expect(await claimAll()).toEqual([]);
  await die(1);
  const [again] = await claimAll();
  expect(again).toMatchObject({ number: 1, eventId: dead!.eventId, body: dead!.body, signers: dead!.signers });
  await recordAs([again!], 200);
  expect(await attempts()).toEqual([
    { number: 1, outcome: 'lost' },
    { number: 1, outcome: 'response' },
  ]);
});

test('five attempts are five answers of the receiver, whatever crashes are in between', async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event());
  for (let attempt = 1; attempt <= 5; attempt++) {
    for (let death = 0; death < 2; death++) {
      expect((await claimAll()).map(({ number }) => number)).toEqual([attempt]);
      await die();
    }
    await recordAs(await claimAll(), 500);
    webhooks.clock.advance(2 * hour);
  }
  expect(await claimAll()).toEqual([]);
  expect(await webhooks.deliveries()).toMatchObject([{ state: 'failed', attempts: 5 }]);
  expect((await webhooks.subscription(id)).failure_count).toBe(1);
  expect((await attempts()).filter(({ outcome }) => outcome === 'lost')).toHaveLength(10);
});

test('a crash while the result is recorded: all of it or nothing', async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.rows('update webhooks.subscriptions set failure_count = 4');
  await webhooks.publish(event(), event());
  const claimed = await claimAll();
  await withDyingInserts('notices', () => recordAs(claimed, 410));
  expect((await attempts()).map(({ outcome }) => outcome)).toEqual([null, null]);
  expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 4, active: true });
  await recordAs(claimed, 410);
  expect(await webhooks.subscription(id)).toMatchObject({ failure_count: 6, active: false });
});

test('a failure of ours while posting spends no attempt (D150)', async () => {
  const { id } = await webhooks.subscribe();
  webhooks.state.receive = () => {
    throw new Error('out of file descriptors');
  };
  await webhooks.deliver(event());
  webhooks.answer(200);
  await die();
  await webhooks.loop.drain();
  expect(webhooks.headers('X-Service-Attempt')).toEqual(['1', '1']);
  expect((await webhooks.subscription(id)).failure_count).toBe(0);
});

test('two processes that claim at once never claim the same delivery', async () => {
  await webhooks.subscribe();
  await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/b' });
  await webhooks.publish(...events(60));
  const [one, other] = [webhooks.newDispatcher(), webhooks.newDispatcher()];
  await Promise.all([one.drain(), other.drain(), webhooks.loop.drain()]);
  expect(webhooks.received).toHaveLength(120);
  const once = new Set(webhooks.received.map(({ url, headers }) => `${url} ${headers['X-Service-Delivery']}`));
  expect(once.size).toBe(120);
});
