/** Server-streaming rpcs: the head first, the rest as it is read, failures and disconnects at any point. */
import { expect, test } from '@jest/globals';
import { messageType } from '@store/contract';
import { invalid, texts } from '@store/problem';
import { problemOf } from '@store/testbed';
import { Reply } from './call.ts';
import { systemCaller } from './caller.ts';
import { sendStreaming } from './client-stream.ts';
import { shareService } from './service.testing.ts';
import { encodeFixedPart } from './signed-caller.ts';

const service = 'store.sales.v1.Sales';
const type = messageType('store.sales.v1.GiftCardSnapshot');
const shared = shareService(service, 'SnapshotGiftCards');
/** The verb answers with this after its head. */
const follows = (rest: AsyncIterable<object>) => {
  shared.verb = async () => new Reply({ generated_at: 'now' }, { rest });
};

const caller = systemCaller(1);
const from = { fixedPart: encodeFixedPart(caller), request: caller };
const call = (deadlineMs = Date.now() + 60_000) =>
  sendStreaming(shared.channel, `/${service}/SnapshotGiftCards`, Buffer.alloc(0), from, deadlineMs);
const card = (number: string) => ({ card_number: number, balance: 1, status: 'active' });
const decoded = (bytes: Buffer) => type.toObject(type.decode(bytes), { arrays: false });

test('the head arrives with its headers before the rest, and the rest in order', async () => {
  const released = Promise.withResolvers<void>();
  async function* rest() {
    await released.promise;
    for (const number of ['A', 'B', 'C']) yield { cards: [card(number)] };
  }
  shared.verb = async () => new Reply({ generated_at: 'now' }, { headers: { 'X-Truncated': 'true' }, rest: rest() });
  const answer = await call();
  expect([decoded(answer.bytes), answer.headers]).toEqual([{ generated_at: 'now' }, [['x-truncated', 'true']]]);
  released.resolve();
  const numbers = [];
  for await (const bytes of answer.rest) numbers.push(decoded(bytes).cards[0].card_number);
  expect(numbers).toEqual(['A', 'B', 'C']);
  expect(shared.channel.breaker.underWay).toBe(0);
});

test('a Problem before the head is the Problem of the call', async () => {
  shared.verb = async () => {
    throw invalid(['no']);
  };
  expect(await problemOf(call())).toMatchObject({ kind: 'invalid', extra: { errors: ['no'] } });
  expect([shared.logged, shared.channel.breaker.underWay]).toEqual([[], 0]);
});

test('a failure after the head ends the rest with the general Problem, and is logged', async () => {
  async function* rest() {
    yield { cards: [card('A')] };
    throw new Error('the database is gone');
  }
  follows(rest());
  const answer = await call();
  let seen = 0;
  const problem = await problemOf(
    (async () => {
      for await (const _bytes of answer.rest) seen += 1;
    })(),
  );
  expect([seen, problem.message]).toEqual([1, texts.unexpected]);
  expect(shared.logged).toHaveLength(1);
  expect(shared.channel.breaker.underWay).toBe(0);
});

test('the server produces no more than the client reads', async () => {
  const big = 'x'.repeat(100_000);
  let produced = 0;
  async function* rest() {
    for (; produced < 1_000; produced++) yield { cards: [card(big)] };
  }
  follows(rest());
  const answer = await call();
  const messages = answer.rest[Symbol.asyncIterator]();
  await messages.next();
  let before = -1;
  // Until the connection's buffer is full.
  while (produced > before) {
    before = produced;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(produced).toBeLessThan(100);
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
  follows(rest());
  const answer = await call();
  answer.cancel();
  await ended.promise;
  expect([shared.channel.breaker.underWay, shared.logged]).toEqual([0, []]);
});

test('a stream that exceeds its deadline is unavailable', async () => {
  shared.verb = () => new Promise(() => undefined);
  expect(await problemOf(call(Date.now() + 300))).toMatchObject({ kind: 'unavailable' });
  expect(shared.channel.breaker.underWay).toBe(0);
});
