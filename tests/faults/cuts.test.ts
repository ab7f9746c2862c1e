/**
 * A connection to PostgreSQL that is lost at a statement of a verb that writes, before it is carried out or before its answer comes, the
 * commit's included; then the request comes again at once, under its Idempotency-Key, at another process. The effect is there once, and
 * the answer is true (P1, P17, D185). Here at each commit; `CUTS=all` cuts at every statement.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { InProcessTransport, type Message } from '@store/events';
import { logNothing } from '@store/testbed';
import pg from 'pg';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { newCallKeys, newRing } from '../../tools/local/local-secrets.ts';
import { type Services, startServices } from '../../tools/local/services.ts';
import { tables } from '../journeys/tables.ts';
import { type Asked, ask, makeStore } from './fleet-world.ts';
import { type Cut, type CutProxy, openCutProxy } from './postgres-cuts.ts';
import { scryptCost } from './test-fleet.ts';
import { type Make, type Prepared, writeVerbs } from './write-verbs.ts';

const startMs = 120_000;
/** A request that still runs at the first process is waited for; more would be a failure that lasts. */
const repeatsMax = 5;
const statementsMax = 60;

/** Keeps every event in its outbox, so that nothing but requests writes. */
class AwayTransport extends InProcessTransport {
  override async publish(_batch: Message[]): Promise<void> {
    throw new Error('events stay where they are');
  }
}

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let proxy: CutProxy;
/** The first is behind the proxy. */
let processes: Services[] = [];
let direct: pg.Client;
let token: string;
beforeAll(async () => {
  database = await migratedDatabase();
  const url = new URL(database.url);
  proxy = await openCutProxy(Number(url.port));
  const behind = new URL(database.url);
  behind.port = String(proxy.port);
  const env = {
    GATEWAY_PORT: '0',
    KEY_PEPPERS: newRing(),
    SECRET_KEYS: newRing(),
    ...newCallKeys(),
    PASSWORD_SCRYPT_COST: String(scryptCost),
  };
  for (const from of [behind, url]) {
    const transport = new AwayTransport({ held: true });
    processes.push(await startServices({ ...env, DATABASE_URL: from.href }, { log: logNothing, transport }));
  }
  direct = new pg.Client({ connectionString: database.url });
  await direct.connect();
  ({ token } = await makeStore(database.url, api(1)));
}, startMs);
afterAll(async () => {
  for (const one of processes) await one.stop();
  processes = [];
  await direct.end();
  await proxy.close();
  await database.close();
}, startMs);

const api = (process: number) => `http://${processes[process]!.address}/api/v1`;
const make: Make = async (path, body) => {
  const answer = await ask(`${api(1)}${path}`, { method: 'POST', token, body: JSON.stringify(body) });
  if (answer.status !== 201 && answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return Object.values(answer.body as object)[0];
};

/** Credit that was taken and given back leaves its rows: of it only what is gone counts. */
const bySum: Record<string, string> = {
  'customers.store_credit_transactions': 'coalesce(sum(amount) * 100, 0)::int',
  'customers.store_credit_tenders': 'coalesce(sum(amount) filter (where not given_back) * 100, 0)::int',
};
/** The events of such credit, and counters that begin with their first use. */
const ignored = ['customers.outbox', 'customers.customer_codes', 'purchasing.order_number_blocks', 'sales.receipt_number_blocks'];
/** Stock that catalog was not sent comes with the event, which stays where it is here. */
const maySkip = 'catalog.outbox';
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

function sender(name: string, { path, body }: Prepared): (process: number) => Promise<Asked> {
  const [method, pattern] = name.split(' ') as [string, string];
  const idempotencyKey = `cut-${++keys}`;
  return (process) => ask(`${api(process)}${path ?? pattern}`, { method, token, body: JSON.stringify(body), idempotencyKey });
}

const isSuccess = ({ status }: Asked) => status >= 200 && status < 300;

/** One cut, and the repetition; throws unless the effect is that of one uncut request. */
async function tryCut(name: string, schemas: string[], cut: Cut, wanted: Record<string, number>): Promise<{ isCut: boolean }> {
  const send = sender(name, await writeVerbs[name]!(make));
  let isCut = false;
  const answers: Asked[] = [];
  const effect = await effectOf(async () => {
    proxy.watch(schemas, cut);
    answers.push(await send(0));
    isCut = proxy.unwatch();
    for (let time = 0; time < repeatsMax && (time === 0 || !isSuccess(answers.at(-1)!)); time++) answers.push(await send(1));
  });
  const last = answers.at(-1)!;
  if (appOf(name) === 'inventory' && wanted[maySkip]) effect[maySkip] = wanted[maySkip];
  const untrue = answers.filter((answer) => !isSuccess(answer) && answer.status < 500 && answer.status !== 409);
  const others = answers.filter(isSuccess).filter(({ body }) => JSON.stringify(body) !== JSON.stringify(last.body));
  expect({ answers: answers.map(({ status }) => status), untrue, others, effect }).toEqual({
    answers: expect.arrayContaining([last.status]),
    untrue: [],
    others: [],
    effect: wanted,
  });
  const again = await send(0);
  expect([isSuccess(last), again.status, again.body]).toEqual([true, last.status, last.body]);
  return { isCut };
}

const appOf = (name: string): string => {
  const found = endpoints().find(({ httpMethod, path }) => `${httpMethod} ${path}` === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.app;
};
/** The gateway's connections also look up who asks. */
const schemasOf = (name: string) =>
  appOf(name) === 'gateway' ? ['gateway'] : ['catalog', 'customers', 'inventory', 'purchasing', 'sales'];

test.each(Object.keys(writeVerbs))(
  '%s: whatever statement loses its connection, a repetition elsewhere makes the effect there once',
  async (name) => {
    const schemas = schemasOf(name);
    const send = sender(name, await writeVerbs[name]!(make));
    const wanted = await effectOf(async () => {
      const answer = await send(1);
      expect([answer.status, answer.body]).toEqual([expect.any(Number), expect.not.objectContaining({ error: expect.anything() })]);
    });
    let tries = 0;
    for (const when of ['before', 'after'] as const) {
      for (let n = 1; n <= statementsMax; n++) {
        let commits = 0;
        const atCommit: Cut = ({ isCommit }) => (isCommit && ++commits === n ? when : undefined);
        const atStatement: Cut = ({ number }) => (number === n ? when : undefined);
        const { isCut } = await tryCut(name, schemas, process.env.CUTS === 'all' ? atStatement : atCommit, wanted);
        if (!isCut) break;
        tries += 1;
      }
    }
    if (process.env.FAULT_REPORT) console.error(name, tries);
    expect(tries).toBeGreaterThanOrEqual(2);
  },
  startMs,
);
