/**
 * A connection to PostgreSQL that is lost at a statement of a verb that writes, before it is carried out or before its answer comes, the
 * commit's included, or one between two processes at a call; then the request comes again at once, under its Idempotency-Key, at another process. The effect is there once, and
 * the answer is true (P1, P17, D185). Here at each commit and call; `CUTS=all` cuts at every statement.
 */
import { beforeEach, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { InProcessTransport, type Message } from '@store/events';
import { capturingLog, describeWithRedis } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { newCallKeys } from '../../tools/local/local-secrets.ts';
import { type Services, startServices } from '../../tools/local/services.ts';
import { newKey } from '../kit/fleet-world.ts';
import { type Answer, isSuccess, send, succeed } from '../kit/http.ts';
import { type CreatedStore, logIn, makeStore, newSecrets } from '../kit/stores.ts';
import { tables } from '../kit/tables.ts';
import { openBeforeAll } from '../kit/use.ts';
import { report } from './load.ts';
import { type Cut, type MessageCuts, openMessageCuts, type When } from './message-cuts.ts';
import { grpcCalls, postgresStatements, redisCommands, type Statement } from './protocols.ts';
import { type Make, notCut, type Prepared, writeVerbs } from './write-verbs.ts';

const startMs = 120_000;
/** A request that still runs at the first process is waited for; more would be a failure that lasts. */
const repeatsMax = 5;
const messagesMax = 60;

/** Keeps every event in its outbox, so that nothing but requests writes. */
class AwayTransport extends InProcessTransport {
  override async publish(_batch: Message[]): Promise<void> {
    throw new Error('events stay where they are');
  }
}

/** In front of the database, the services and the Redis of the first process. */
const statements = openMessageCuts(postgresStatements);
const calls = openMessageCuts(grpcCalls);
const commands = openMessageCuts(redisCommands);
/** The first is behind these proxies. */
const processes: Services[] = [];
const { log, lines } = capturingLog();
let direct: pg.Client;
let store: CreatedStore;
let token: string;
openBeforeAll(async (opened) => {
  const database = await opened(migratedDatabase());
  await opened(Promise.resolve(statements));
  await opened(Promise.resolve(calls));
  await opened(Promise.resolve(commands));
  const url = new URL(database.url);
  direct = await opened(openClient(database.url), (one) => one.end());
  const behind = new URL(database.url);
  behind.port = String(await statements.before('127.0.0.1', Number(url.port)));
  const env = { GATEWAY_PORT: '0', ...newSecrets(), ...newCallKeys() };
  for (const from of [behind, url]) {
    const transport = new AwayTransport({ held: true });
    const found = async (address: string) => {
      const { hostname, port } = new URL(`tcp://${address}`);
      return `127.0.0.1:${await calls.before(hostname, Number(port))}`;
    };
    const redis = process.env.TEST_REDIS_URL && new URL(process.env.TEST_REDIS_URL);
    if (redis && from === behind) redis.host = `127.0.0.1:${await commands.before(redis.hostname, Number(redis.port))}`;
    const parts = { log, transport, ...(from === behind && { found }) };
    const starting = startServices({ ...env, DATABASE_URL: from.href, ...(redis && { REDIS_URL: redis.href }) }, parts);
    processes.push(await opened(starting, (services) => services.stop()));
  }
  store = await makeStore(database.url);
  token = await logIn(api(1), store);
});
/** Some verbs want a password of the last ten minutes; the whole file takes longer on a slow machine. */
beforeEach(() => succeed('POST', `${api(1)}/staff_sessions/confirm`, { token, body: { password: store.password } }));

const api = (process: number) => `http://${processes[process]!.address}/api/v1`;
const make: Make = async (path, body, { method = 'POST', key, member } = {}) => {
  lines.length = 0;
  const made = await succeed(method, `${api(1)}${path}`, { ...(key ? { key } : { token }), body }).catch((error: Error) => {
    throw new Error(`${error.message}\n${lines.map((line) => JSON.stringify(line)).join('\n')}`, { cause: error });
  });
  return member ? made[member] : Object.values(made)[0];
};

/** Credit that was taken and given back leaves its rows: of it only what is gone counts. */
const bySum: Record<string, string> = {
  'customers.store_credit_transactions': 'coalesce(sum(amount) * 100, 0)::int',
  'customers.store_credit_tenders': 'coalesce(sum(amount) filter (where not given_back) * 100, 0)::int',
};
/** Work that is taken from its list, and what begins with its first use. */
const ignored = [
  ...['customers.tier_changes', 'customers.customer_codes'],
  ...['purchasing.order_number_blocks', 'sales.receipt_number_blocks', 'webhooks.stores'],
];
/**
 * By app, the events of another one that may differ without a second effect: stock that catalog was not sent comes with the event, which
 * stays where it is here; credit that a sale took and gave back has events.
 */
const mayDiffer: Record<string, string> = { inventory: 'catalog.outbox', sales: 'customers.outbox' };
const counted = [...tables].flatMap(([name, { writes }]) => (writes === 'all' || ignored.includes(name) ? [] : [name]));
const effectText = counted
  .map((name) => `select '${name}' as name, ${bySum[name] ?? 'count(*)::int'} as n from ${name}`)
  .join(' union all ');

/** By how much each table has more while `work` runs: a row per change, event, audit entry and stored answer. */
async function effectOf(work: () => Promise<void>): Promise<Record<string, number>> {
  const count = async () =>
    new Map((await direct.query<{ name: string; n: number }>({ name: 'effect', text: effectText })).rows.map(({ name, n }) => [name, n]));
  const before = await count();
  await work();
  const after = await count();
  return Object.fromEntries([...after].map(([name, n]) => [name, n - before.get(name)!] as const).filter(([, n]) => n !== 0));
}

let keys = 0;

function sender(name: string, { path, body, key, token: by = token }: Prepared): (process: number) => Promise<Answer> {
  const [method, pattern] = name.split(' ') as [string, string];
  const idempotencyKey = `cut-${++keys}`;
  return (process) => send(method, `${api(process)}${path ?? pattern}`, { ...(key ? { key } : { token: by }), body, idempotencyKey });
}

/** Cuts the n-th message of those that count. */
function nth<Message>(n: number, when: When, counts: (message: Message) => boolean): Cut<Message> {
  let seen = 0;
  return (message) => (counts(message) && ++seen === n ? when : undefined);
}

/** What an answer says of the record; what it says of the request, to a key, is its own. */
const told = ({ body }: Answer) => {
  const { meta: _request, ...record } = body ?? {};
  return record;
};

/** One cut, and the repetition; throws unless the effect is that of one uncut request. Returns whether there was something to cut. */
async function tryCut<Message>(
  name: string,
  wanted: Record<string, number>,
  cuts: MessageCuts<Message>,
  cut: Cut<Message>,
): Promise<boolean> {
  const request = sender(name, await writeVerbs[name]!(make));
  let isCut = false;
  const answers: Answer[] = [];
  const effect = await effectOf(async () => {
    cuts.watch(cut);
    answers.push(await request(0));
    isCut = cuts.unwatch();
    for (let time = 0; time < repeatsMax && (time === 0 || !isSuccess(answers.at(-1)!)); time++) answers.push(await request(1));
  });
  const last = answers.at(-1)!;
  const other = mayDiffer[appOf(name)];
  if (other && wanted[other]) effect[other] = wanted[other];
  const untrue = answers.filter((answer) => !isSuccess(answer) && answer.status < 500 && answer.status !== 409);
  const others = answers.filter(isSuccess).filter((answer) => JSON.stringify(told(answer)) !== JSON.stringify(told(last)));
  expect({ answers: answers.map(({ status }) => status), untrue, others, effect }).toEqual({
    answers: expect.arrayContaining([last.status]),
    untrue: [],
    others: [],
    effect: wanted,
  });
  const again = await request(0);
  expect([isSuccess(last), again.status, told(again)]).toEqual([true, last.status, told(last)]);
  return isCut;
}

const appOf = (name: string): string => {
  const found = endpoints().find(({ httpMethod, path }) => `${httpMethod} ${path}` === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.app;
};
/** The gateway's connections also look up who asks. */
const schemasOf = (name: string) =>
  ['gateway', 'webhooks'].includes(appOf(name)) ? [appOf(name)] : ['catalog', 'customers', 'inventory', 'purchasing', 'sales'];

/** One cut after the other, until a request has no more to cut; how many there were. */
async function tryAll<Message>(
  name: string,
  cuts: MessageCuts<Message>,
  counts: (message: Message) => boolean = () => true,
): Promise<number> {
  const wanted = await uncut(name);
  let tries = 0;
  for (const when of ['before', 'after'] as const)
    for (let n = 1; n <= messagesMax && (await tryCut(name, wanted, cuts, nth(n, when, counts))); n++) tries += 1;
  return tries;
}

async function uncut(name: string): Promise<Record<string, number>> {
  const request = sender(name, await writeVerbs[name]!(make));
  return effectOf(async () => {
    const answer = await request(1);
    expect([answer.status, answer.body]).toEqual([expect.any(Number), expect.not.objectContaining({ error: expect.anything() })]);
  });
}

test('every verb that takes an Idempotency-Key is cut, or it is said why not', () => {
  const taking = endpoints().filter(({ httpMethod }) => httpMethod === 'POST' || httpMethod === 'PATCH');
  expect([...Object.keys(writeVerbs), ...Object.keys(notCut)].sort()).toEqual(taking.map((one) => `${one.httpMethod} ${one.path}`).sort());
});

test.each(Object.keys(writeVerbs))(
  '%s: whatever statement loses its connection, a repetition has one effect',
  async (name) => {
    const schemas = schemasOf(name);
    const isWatched = ({ schema, isCommit }: Statement) => schemas.includes(schema) && (isCommit || process.env.CUTS === 'all');
    const tries = await tryAll(name, statements, isWatched);
    report(name, tries);
    expect(tries).toBeGreaterThanOrEqual(2);
  },
  startMs,
);

test.each(Object.keys(writeVerbs).filter((name) => appOf(name) !== 'gateway'))(
  '%s: whatever call loses its connection, a repetition has one effect',
  async (name) => {
    const tries = await tryAll(name, calls);
    report(name, tries, 'calls');
    expect(tries).toBeGreaterThanOrEqual(2);
  },
  startMs,
);

describeWithRedis('with Redis', () =>
  test(
    'whatever command loses its connection, a revoked key is admitted nowhere',
    async () => {
      let tries = 0;
      for (const when of ['before', 'after'] as const)
        for (let n = 1; n <= messagesMax; n++) {
          const { id, key } = await newKey(api(1), token, { scopes: ['products:read'] });
          const admitted = async () =>
            (await Promise.all([0, 1].map((process) => send('GET', `${api(process)}/key`, { key })))).map(({ status }) => status);
          expect(await admitted()).toEqual([200, 200]);
          commands.watch(nth(n, when, () => true));
          const revoke = (process: number) => send('DELETE', `${api(process)}/api_keys/${id}`, { token });
          let answer = await revoke(0);
          const isCut = commands.unwatch();
          for (let time = 0; time < repeatsMax && !isSuccess(answer); time++) answer = await revoke(time % 2);
          expect([answer.status, await admitted()]).toEqual([200, [401, 401]]);
          if (!isCut) break;
          tries += 1;
        }
      report('DELETE /api_keys/{id}', tries, 'commands');
      expect(tries).toBeGreaterThanOrEqual(2);
    },
    startMs,
  ),
);
