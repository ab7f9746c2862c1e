/**
 * `npm run bench -- --only attacks`: what hostile requests cost other clients. While each attack runs,
 * integrators list products; the report shows their p99 and the longest event-loop delay of the gateway
 * and of catalog. Each round is a pair, without the attack and with it; the median of the pairs' ratios counts, as one p99 of some
 * seconds differs from the next by half. The attacker runs in this process, on the same cores as everything else.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dataDir, repository, runFile } from '../../tools/local/data-dir.ts';
import type { Member } from '../../tools/local/member.ts';
import { logIn, makeStore } from '../kit/stores.ts';
import { count, figureOf, type Pair, type Sender } from './attack-pairs.ts';
import { type BenchLayout, openLayout, openNotes } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { type LoadResult, load, wireRequest } from './load.ts';
import { attacksOnNeighbours, writePanel } from './stores-beside.ts';

export interface AttackBench {
  seconds: number;
  /** Only attacks whose name contains it. */
  word?: string | undefined;
  /** Pairs of measurements for each attack. */
  rounds: number;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

export interface Attack {
  name: string;
  /** The n-th request of the attacker. */
  request: (n: number) => Buffer;
  /** Requests at once. */
  atOnce: number;
  /** The answers that the contract gives it. */
  expect: string[];
  /** Milliseconds between two requests of each; `paceMs` when absent. */
  paceMs?: number;
  /** Another way to send them. */
  run?: (attack: Attack, port: number, seconds: number, sender: Sender) => Promise<void>;
  /** Integrators write meanwhile instead of reading. */
  writes?: boolean;
}

/** Attackers send one request after another at this pace: they share the cores with what is measured. */
const paceMs = 200;

const integrators = 4;
const megabytes = 1024 * 1024;
/** Wrong logins for one account, before the attacker takes the next: an account that waits is refused without a hash. */
const loginsOfOne = 256;
/** Reads, and writes, before the first pair. */
const warmUpSeconds = 5;
const manyCodes = 19_600;
/** As many as fit into a body of 256 KB. */
const someCodes = 9_000;
const someNumbers = 125_000;

export async function benchAttacks({ word = '', seconds, rounds, say, stops }: AttackBench): Promise<Record<string, unknown>> {
  const delayDir = path.join(dataDir(), 'bench/loop-delay');
  mkdirSync(delayDir, { recursive: true });
  const layout = await openLayout({
    name: 'attacks-bench',
    products: 5_000,
    // Each of the many attackers has its own address.
    env: { LOOP_DELAY_DIR: delayDir, TRUSTED_PROXIES: '1', ADMIN_FILES: writePanel(path.join(dataDir(), 'bench/panel')) },
    entry: (app) => ['--import', path.join(repository, 'tests/bench/loop-delay.ts'), runFile(app)],
    say,
    stops,
  });
  const { figures, note } = openNotes();
  const port = Number(new URL(layout.api).port);
  const measured = ['gateway', 'catalog'].map((name) => layout.fleet.member(name));
  const delays = async () => {
    const all = await Promise.all(measured.map(async (member) => [member.name, await loopDelayMs(delayDir, member)] as const));
    return Object.fromEntries(all);
  };
  // Of an admin, who may send requests that keys may not.
  const token = await logIn(layout.api, await makeStore(layout.env.DATABASE_URL!));
  const attacks = [...attacksOn(layout.store, token), ...(await attacksOnNeighbours(layout, token))];
  const settled = () => untilRelayed(layout.database);
  say('Warming up');
  await integrate(port, layout.store, firstOfEachKey(layout.store));
  for (const writes of [false, true]) await integrate(port, layout.store, during(warmUpSeconds), writes);
  const pairOf = async (attack: Attack, sender: Sender): Promise<Pair> => {
    await settled();
    await delays();
    const before = await integrate(port, layout.store, during(seconds), attack.writes);
    const calm = await delays();
    let over = false;
    const load = integrate(port, layout.store, () => !over, attack.writes);
    await (attack.run ?? run)(attack, port, seconds, sender);
    over = true;
    return { before, calm, beside: await load, attacked: await delays() };
  };
  for (const attack of attacks.filter(({ name }) => name.includes(word))) {
    say(attack.name);
    const sender: Sender = { sent: 0, statuses: {} };
    const pairs: Pair[] = [];
    while (pairs.length < rounds) pairs.push(await pairOf(attack, sender));
    note(attack.name, figureOf(attack.expect, sender.statuses, pairs));
  }
  return figures;
}

/** The events of the attack before are work that the next pair must not be measured beside. */
async function untilRelayed(database: BenchLayout['database']): Promise<void> {
  const text = 'select exists (select from catalog.outbox) or exists (select from inventory.outbox) as waits';
  while ((await database.query<{ waits: boolean }>(text)).rows[0]!.waits) await wait(paceMs);
}

function during(seconds: number): () => boolean {
  const endAt = performance.now() + seconds * 1_000;
  return () => performance.now() < endAt;
}

function firstOfEachKey({ keys }: BenchStore): () => boolean {
  let left = keys.length;
  return () => left-- > 0;
}

/** Lists products with each key in turn, or adjusts stock, as long as `goesOn`; a key's own limit applies once it has completed a request. */
function integrate(port: number, { keys, ids }: BenchStore, goesOn: () => boolean, writes = false): Promise<LoadResult> {
  const key = (n: number) => ({ 'X-API-Key': keys[1 + (n % (keys.length - 1))]! });
  const adjustment = (n: number) => JSON.stringify({ product_id: ids[n % ids.length], adjustment_type: 'receive', quantity_change: 1 });
  const change = (n: number) => wireRequest('POST', '/api/v1/stock_adjustments', key(n), adjustment(n));
  const list = (n: number) => wireRequest('GET', '/api/v1/products', key(n));
  return load({
    host: '127.0.0.1',
    port,
    connections: integrators,
    seconds: 600,
    request: (n) => (goesOn() ? (writes ? change(n) : list(n)) : undefined),
  });
}

function attacksOn(store: BenchStore, token: string): Attack[] {
  const post = (route: string, body: string, headers: Record<string, string> = {}) => {
    const bytes = wireRequest('POST', `/api/v1${route}`, { Connection: 'close', ...headers }, body);
    return () => bytes;
  };
  // Failed logins of an earlier run still count for an account.
  const email = (attack: string) => `${attack}-${Date.now()}@attacked.example`;
  const login = (password: string, account = email('one')) => JSON.stringify({ email: account, password });
  const marks = (count: number) => '\u0315'.repeat(count) + '\u0300'.repeat(count);
  const key = { 'X-API-Key': store.keys[1]! };
  const staff = { Authorization: `Bearer ${token}` };
  const codes = (count: number) =>
    JSON.stringify({
      product: { name: 'Many codes', additional_barcodes: Array.from({ length: count }, (_, n) => ({ code: `50123${n}` })) },
    });
  const wrong = (from: (n: number) => string) => {
    const account = email(from(0));
    return (n: number) =>
      wireRequest(
        'POST',
        '/api/v1/staff_sessions',
        { Connection: 'close', 'X-Forwarded-For': from(n) },
        login(`wrong password ${n}`, `${Math.floor(n / loginsOfOne)}-${account}`),
      );
  };
  const refused = { atOnce: 2, expect: ['401', '413', '429'] };
  const large = { atOnce: 1, expect: ['413'] };
  const unpaced = { atOnce: 16, paceMs: 0, expect: ['401', '429'] };
  return [
    { name: 'login with a password of 160 KB', request: post('/staff_sessions', login(marks(40_000))), ...refused },
    { name: 'login with a password of 15 KB', request: post('/staff_sessions', login(marks(3_800))), ...refused },
    { name: 'login with 5 MB of 0,', request: post('/staff_sessions', '0,'.repeat((5 * megabytes) / 2)), ...refused },
    { name: 'login with 5 MB of {},', request: post('/staff_sessions', '{},'.repeat((5 * megabytes) / 3)), ...refused },
    {
      name: 'bulk_upsert by a key with 5 MB of 0,',
      request: post('/products/bulk_upsert', '0,'.repeat((5 * megabytes) / 2), key),
      ...large,
    },
    { name: `product with ${manyCodes} codes`, request: post('/products', codes(manyCodes), staff), ...large },
    { name: `product with ${someCodes} codes`, request: post('/products', codes(someCodes), staff), atOnce: 1, expect: ['422'] },
    {
      name: 'product with 125,000 numbers',
      request: post('/products', JSON.stringify({ product: { name: 'Many numbers', reorder_point: Array(someNumbers).fill(1) } }), key),
      atOnce: 1,
      expect: ['422'],
    },
    { name: 'wrong logins without a pause, one address', request: wrong(() => '198.51.100.1'), ...unpaced },
    {
      name: 'wrong logins without a pause, as many addresses',
      request: wrong((n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`),
      ...unpaced,
    },
  ];
}

async function run(attack: Attack, port: number, seconds: number, sender: Sender): Promise<void> {
  const goesOn = during(seconds);
  const send = async () => {
    while (goesOn()) {
      count(sender, await sent(port, attack.request(sender.sent++)));
      await wait(attack.paceMs ?? paceMs);
    }
  };
  await Promise.all(Array.from({ length: attack.atOnce }, send));
}

/** Sends one request on its own connection, and closes it once it is answered: a success is read to its end, as work that nobody reads is stopped. */
function sent(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let status = 'none';
    socket.on('data', (chunk: Buffer) => {
      if (status === 'none') status = chunk.toString('latin1', 9, 12);
      if (status !== '200') socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(status));
  });
}

async function loopDelayMs(dir: string, member: Member): Promise<number> {
  const file = path.join(dir, String(member.pid));
  rmSync(file, { force: true });
  member.signal('SIGUSR2');
  while (!existsSync(file)) await wait(5);
  return Math.round(Number(readFileSync(file, 'utf8')));
}
