/**
 * A restore to an earlier moment, as docs/operations/backup-and-keys.md says. The backup is a copy of the database with events in
 * its outboxes; afterwards everything goes on, is delivered, and is then lost, as the copy takes the database's place. Once with events
 * that stay in the process, and once on a real Kafka, whose topics get a new prefix at the restore.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { appNames, groupsOf } from '@store/contract';
import { createTopics, InProcessTransport, KafkaTransport, type Message, type Transport, watchGroups } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { until } from '@store/testbed/until';
import { ask, withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { newCallKeys } from '../../tools/local/local-secrets.ts';
import { type Services, startServices } from '../../tools/local/services.ts';
import { newKey } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { outboxRows } from '../kit/outbox-rows.ts';
import { type Hook, isSigned, openReceiver, type Receiver } from '../kit/receiver.ts';
import { logIn, makeStore, newSecrets } from '../kit/stores.ts';

const startMs = 120_000;
const settledWithinMs = 60_000;
const env = { GATEWAY_PORT: '0', ...newSecrets(), ...newCallKeys() };

/** Carries the events of one installation; it can be away: the relays keep their rows. */
interface Carrier extends Transport {
  isAway: boolean;
  /** Every service has subscribed. */
  open(): void;
  /** Whether a published event is still to be handled by a group. */
  isBehind(): Promise<boolean>;
}

/** Opens what carries events, before and after the restore. */
type Carry = (when: 'before' | 'after') => Promise<Carrier>;

interface CarrierParts extends Pick<Carrier, 'open' | 'isBehind'> {
  /** Receives every message that is published. */
  published?: Message[];
  end?(): Promise<void>;
}

function interruptible(transport: Transport, more: CarrierParts): Carrier {
  return {
    isAway: false,
    async publish(batch: Message[]): Promise<void> {
      if (this.isAway) throw new Error('the transport is away');
      await transport.publish(batch);
      more.published?.push(...batch);
    },
    subscribe: (subscription) => transport.subscribe(subscription),
    ...(transport.stopConsuming && { stopConsuming: () => transport.stopConsuming!() }),
    stop: async () => {
      await transport.stop();
      await more.end?.();
    },
    open: more.open,
    isBehind: more.isBehind,
  };
}

let receiver: Receiver;
let original: Awaited<ReturnType<typeof migratedDatabase>>;
let backupUrl: string | undefined;
const opened: Services[] = [];
beforeAll(async () => {
  receiver = await openReceiver();
});
beforeEach(async () => {
  original = await migratedDatabase();
  receiver.hooks.splice(0);
});
afterEach(async () => {
  for (const services of opened.splice(0)) await services.stop();
  if (backupUrl) await server((client) => client.query(`drop database if exists ${nameOf(backupUrl!)} with (force)`));
  backupUrl = undefined;
  await original?.close();
}, startMs);
afterAll(() => receiver?.close());

interface Started {
  api: string;
  transport: Carrier;
  /** Every event is published and handled. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

async function start(url: string, transport: Carrier): Promise<Started> {
  const services = await startServices({ DATABASE_URL: url, ...env, ...receiver.env }, { log: logNothing, transport });
  opened.push(services);
  const stop = async () => {
    opened.splice(opened.indexOf(services), 1);
    await services.stop();
  };
  // An event leaves its outbox only when it is published, and in one process only when it is handled.
  const settled = () => until(async () => (await waiting(url)) === 0 && !(await transport.isBehind()), settledWithinMs);
  return { api: `http://${services.address}/api/v1`, transport, settled, stop };
}

test(
  'after a restore keys, secrets and consumers go on; no event is lost or doubled',
  () =>
    expectToGoOn(async () => {
      const transport = new InProcessTransport({ held: true });
      return interruptible(transport, { open: () => transport.open(), isBehind: async () => false });
    }),
  3 * startMs,
);

describeWithKafka('with Kafka', (brokers) => {
  test(
    'after a restore onto new topics consumers go on; no old event is redelivered',
    () => {
      const prefixes = { before: `${randomBytes(4).toString('hex')}.`, after: `${randomBytes(4).toString('hex')}.` };
      const published: Message[] = [];
      /** What no consumer had handled when the database was lost is on the old topics. */
      const leaveUnhandled = async (lost: Message) => {
        const old = new KafkaTransport({
          ...{ brokers, prefix: prefixes.before, log: logNothing },
          clientId: 'lost',
          onFatal: () => undefined,
        });
        await old.publish([{ ...lost, id: randomUUID() }]);
        await old.stop();
      };
      return expectToGoOn(async (when) => {
        if (when === 'after') await leaveUnhandled(published.findLast(({ name }) => name === 'product.created')!);
        const place = { brokers, prefix: prefixes[when], log: logNothing };
        await createTopics({ ...place, partitions: 2, replicas: 1 });
        const watch = await watchGroups(place, appNames.flatMap(groupsOf));
        const transport = new KafkaTransport({ ...place, clientId: 'restore', onFatal: () => undefined });
        const isBehind = async () => (await watch.published()).behind > 0;
        return interruptible(transport, { open: () => undefined, isBehind, published, end: () => watch.close() });
      });
    },
    3 * startMs,
  );
});

async function expectToGoOn(carry: Carry): Promise<void> {
  const before = await start(original.url, await carry('before'));
  const token = await logIn(before.api, await makeStore(original.url));
  const { key } = await newKey(before.api, token, {
    scopes: ['products:read', 'products:write', 'inventory:write', 'inventory:read', 'webhooks:manage'],
  });
  const post = async (api: string, path: string, body: object) => {
    const answer = await send('POST', `${api}${path}`, { key, body });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.data;
  };
  const create = (api: string, name: string) => post(api, '/products', { product: { name, price: '1' } });
  const receive = (api: string, id: number, quantity: string) =>
    post(api, '/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: quantity });
  const events = ['product.created', 'inventory.adjusted'];
  const subscription = await post(before.api, '/webhook_subscriptions', {
    webhook_subscription: { url: `${receiver.url}/hook`, events },
  });
  const { id: lantern } = await create(before.api, 'Lantern');
  await receive(before.api, lantern, '5');
  await receiver.arrived('/hook', 2);
  await before.settled();
  before.transport.isAway = true;
  await create(before.api, 'Waiting');
  await receive(before.api, lantern, '2');
  await before.stop();
  backupUrl = await copyOf(original.url);

  const lost = await start(original.url, await carry('before'));
  await create(lost.api, 'Lost');
  await receiver.arrived('/hook', 5);
  await lost.settled();
  await lost.stop();
  const known = receiver.hooks.splice(0);
  const lastSeen = Math.max(...known.map(sequenceOf));

  raiseSequences(backupUrl);
  const after = await start(backupUrl, await carry('after'));
  await create(after.api, 'New');
  const hooks = await receiver.arrived('/hook', 3);
  await after.settled();

  // The events that waited come again under their ids; what was delivered before the backup does not.
  expect(receiver.hooks.map(nameIn).sort()).toEqual(['inventory.adjusted', 'product.created New', 'product.created Waiting']);
  const waiting = known.filter((hook) => ['product.created Waiting', 'inventory.adjusted'].includes(nameIn(hook))).map(idOf);
  for (const hook of hooks.filter((one) => nameIn(one) !== 'product.created New')) expect(waiting).toContain(idOf(hook));
  expect(hooks.filter((hook) => !isSigned(hook, subscription.secret))).toEqual([]);
  const log = await send('GET', `${after.api}/events?after=${lastSeen}`, { key });
  const read: string[] = log.body.data.events.map(({ event }: { event: string }) => event);
  expect(read.filter((name) => events.includes(name)).sort()).toEqual(['inventory.adjusted', 'product.created', 'product.created']);
  const product = await send('GET', `${after.api}/products/${lantern}`, { key });
  expect(product).toMatchObject({ status: 200, body: { data: { current_stock: 7 } } });
  const audited = await ask(backupUrl, 'select event_id from gateway.audit_entries where event_id is not null');
  expect(new Set(audited.map((row) => row.event_id)).size).toBe(audited.length);
  for (const app of appNames) expect(await ask(backupUrl, `select from ${app}.dead_letters`)).toEqual([]);
}

const nameIn = ({ body }: Hook): string => {
  const { event, data } = JSON.parse(body.toString()) as { event: string; data: { name?: string } };
  return data.name === undefined ? event : `${event} ${data.name}`;
};
const idOf = ({ headers }: Hook) => String(headers['webhook-id']);
const sequenceOf = ({ headers }: Hook) => Number(headers['x-service-sequence']);

/** The command, as an operator runs it. */
function raiseSequences(url: string): void {
  const command = ['apps/webhooks/src/run.ts', 'raise-sequences'];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: repository, encoding: 'utf8', env: { DATABASE_URL: url } });
  expect([status, stderr]).toEqual([0, '']);
}

async function waiting(url: string): Promise<number> {
  return withClient(url, outboxRows);
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

const server = <T>(work: (client: pg.Client) => Promise<T>) => withClient(process.env.TEST_DATABASE_URL!, work);

/** A backup: no connection is left that could be between two changes. */
async function copyOf(url: string): Promise<string> {
  const name = nameOf(url);
  await server(async (client) => {
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
    await client.query(`create database ${name}_backup template ${name}`);
  });
  const copy = new URL(url);
  copy.pathname = `/${name}_backup`;
  return copy.href;
}
