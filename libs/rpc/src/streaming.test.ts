/** Server-streaming rpcs: the head first, the rest as it is read, failures and disconnects at any point. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { messageType } from '@store/contract';
import { invalid, type Problem, texts } from '@store/problem';
import { Reply } from './call.ts';
import { systemCaller } from './caller.ts';
import { type Channel, connect, send } from './client.ts';
import { sendStreaming } from './client-stream.ts';
import { type RpcServer, serve } from './server.ts';
import { ServiceKeys } from './service-keys.ts';
import { encodeFixedPart } from './signed-caller.ts';

const service = 'store.sales.v1.Sales';
const type = messageType('store.sales.v1.GiftCardSnapshot');
const trust = { keys: new ServiceKeys([{ id: 1, secret: randomBytes(32) }], { now: () => new Date() }) };
const logged: object[] = [];
let verb: () => Promise<unknown>;
let server: RpcServer;
let channel: Channel;

beforeAll(async () => {
  server = await serve(
    { [service]: { SnapshotGiftCards: () => verb(), GetSale: async () => ({ sale: { id: 7 } }) } },
    { listen: '127.0.0.1:0', trust, log: { error: (fields) => logged.push(fields) } },
  );
  channel = connect(server.address, trust);
});
afterAll(async () => {
  channel.close();
  await server.stop(1_000);
});
beforeEach(() => {
  logged.length = 0;
});

const caller = systemCaller(1);
const from = { fixedPart: encodeFixedPart(caller), request: caller };
const call = (deadlineMs = Date.now() + 60_000) =>
  sendStreaming(channel, `/${service}/SnapshotGiftCards`, Buffer.alloc(0), from, deadlineMs);
const card = (number: string) => ({ card_number: number, balance: 1, status: 'active' });
const decoded = (bytes: Buffer) => type.toObject(type.decode(bytes), { arrays: false });
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as Problem,
  );

test('the head arrives with its headers before the rest is produced, and the rest in order', async () => {
  const released = Promise.withResolvers<void>();
  async function* rest() {
    await released.promise;
    for (const number of ['A', 'B', 'C']) yield { cards: [card(number)] };
  }
  verb = async () => new Reply({ generated_at: 'now' }, { headers: { 'X-Truncated': 'true' }, rest: rest() });
  const answer = await call();
  expect([decoded(answer.bytes), answer.headers]).toEqual([{ generated_at: 'now' }, [['x-truncated', 'true']]]);
  released.resolve();
  const numbers = [];
  for await (const bytes of answer.rest) numbers.push(decoded(bytes).cards[0].card_number);
  expect(numbers).toEqual(['A', 'B', 'C']);
  expect(channel.breaker.underWay).toBe(0);
});

test('a Problem before the head is the Problem of the call', async () => {
  verb = async () => {
    throw invalid(['no']);
  };
  expect(await problemOf(call())).toMatchObject({ kind: 'invalid', extra: { errors: ['no'] } });
  expect([logged, channel.breaker.underWay]).toEqual([[], 0]);
});

test('a failure after the head ends the rest with the general Problem, and is logged', async () => {
  async function* rest() {
    yield { cards: [card('A')] };
    throw new Error('the database is gone');
  }
  verb = async () => new Reply({ generated_at: 'now' }, { rest: rest() });
  const answer = await call();
  let seen = 0;
  const problem = await problemOf(
    (async () => {
      for await (const _bytes of answer.rest) seen += 1;
    })(),
  );
  expect([seen, problem?.message]).toEqual([1, texts.unexpected]);
  expect(logged).toHaveLength(1);
  expect(channel.breaker.underWay).toBe(0);
});

test('the server produces no more than the client reads', async () => {
  const big = 'x'.repeat(100_000);
  let made = 0;
  async function* rest() {
    for (; made < 1_000; made++) yield { cards: [card(big)] };
  }
  verb = async () => new Reply({ generated_at: 'now' }, { rest: rest() });
  const answer = await call();
  const messages = answer.rest[Symbol.asyncIterator]();
  await messages.next();
  let before = -1;
  // Until the connection's buffer is full.
  while (made > before) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(made).toBeLessThan(100);
  answer.cancel();
});

test('a client that cancels ends the verb, and the breaker no longer counts the call', async () => {
  const ended = Promise.withResolvers<void>();
  async function* rest() {
    try {
      for (;;) yield { cards: [card('A')] };
    } finally {
      ended.resolve();
    }
  }
  verb = async () => new Reply({ generated_at: 'now' }, { rest: rest() });
  const answer = await call();
  answer.cancel();
  await ended.promise;
  expect([channel.breaker.underWay, logged]).toEqual([0, []]);
});

test('a stream that exceeds its deadline is unavailable', async () => {
  verb = () => new Promise(() => undefined);
  expect(await problemOf(call(Date.now() + 300))).toMatchObject({ kind: 'unavailable' });
  expect(channel.breaker.underWay).toBe(0);
});

test('streams whose reader pauses delay no other call', async () => {
  const big = 'x'.repeat(100_000);
  async function* rest() {
    for (;;) yield { cards: [card(big)] };
  }
  verb = async () => new Reply({ generated_at: 'now' }, { rest: rest() });
  const paused = await Promise.all(Array.from({ length: 4 }, () => call()));
  const first = paused.map(({ rest }) => rest[Symbol.asyncIterator]().next());
  await Promise.all(first);
  const answer = await send(channel, `/${service}/GetSale`, Buffer.alloc(0), from, Date.now() + 5_000);
  expect(answer.bytes.length).toBeGreaterThan(0);
  for (const { cancel } of paused) cancel();
});
