/**
 * Every class of bad input of docs/contract.md that applies to these endpoints, from one table
 * (bad-input.jsonl): the exact status and body, and that nothing was saved. Requests are sent as bytes.
 */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RawAnswer, rawRequest } from '../kit/raw-http.ts';
import { useWorld } from '../kit/use.ts';
import { type BadInput, badInputCases, filledIn, type Part } from './bad-input-cases.ts';
import { countWrites, digests } from './database-text.ts';

const ids: Record<string, number> = {};
let requests = 0;
/** The database as the last request that saves left it. */
let stored: Record<string, string>;
let countedWrites: () => Promise<string>;
/** The count at which the database was last seen as `stored`. */
let storedAt: string;

async function settle(): Promise<void> {
  await world.settled();
  storedAt = await countedWrites();
  stored = await digests(world);
}

async function expectNothingSaved(): Promise<void> {
  const now = await countedWrites();
  if (now === storedAt) return;
  expect(await digests(world)).toEqual(stored);
  storedAt = now;
}

const world = await useWorld();
const key = await world.newKey(world.store);
await world.call('GET', '/key', { key });
const { create, staff } = world;
const stranger = await world.newStore();
const product = async (fields: object, store = world.store) => (await create('/products', { product: fields }, store)).id;
ids.product = await product({ name: 'Plain', price: 1 });
ids.stocked = await product({ name: 'Stocked', sku: 'TAKEN' });
ids.card = (await create('/gift_cards', { gift_card: { amount: 10 } })).id;
ids.bundle = await product({ name: 'Bundle', product_type: 'bundle' });
ids.deleted = await product({ name: 'Deleted', sku: 'DELETED' });
await product({ name: '100% wool_x\\y' });
await product({ name: "Kid's lamp" });
ids.foreign = await product({ name: 'Foreign' }, stranger);
await staff('DELETE', `/products/${ids.deleted}`);
ids.location = (await create('/warehouse_locations', { warehouse_location: { name: 'Back', kind: 'back' } })).id;
await world.call('POST', '/stock_adjustments', { key, body: { product_id: ids.stocked, adjustment_type: 'receive', quantity_change: 5 } });

const customer = async (fields: object, store = world.store) => (await create('/customers', { customer: fields }, store)).id;
ids.customer = await customer({ name: 'Plain', email: 'taken@example.com', phone: '555 000 7777', loyalty_card_number: 'TAKEN' });
await customer({ name: '100% wool_x\\y' });
await customer({ name: "Kid's friend" });
ids.foreignCustomer = await customer({ name: 'Foreign' }, stranger);
ids.archivedCustomer = await customer({ name: 'Archived', loyalty_card_number: 'FREED' });
await staff('DELETE', `/customers/${ids.archivedCustomer}`);

const sell = async (product_id: number, store = world.store) =>
  (await create('/sales', { sale: { line_items: [{ product_id, quantity: 1 }] } }, store)).id;
ids.sale = await sell(ids.product!);
ids.foreignSale = await sell(ids.foreign!, stranger);
const line_items = [{ product_name: 'Lantern', quantity_ordered: 5, unit_price: 1 }];
const order = await create('/purchase_orders', { purchase_order: { line_items } });
[ids.order, ids.line] = [order.id, order.line_items[0].id];
ids.foreignOrder = (await create('/purchase_orders', { purchase_order: { line_items } }, stranger)).id;
const tier = { loyalty_tier: { name: 'Base', level: 1 } };
await create('/loyalty_tiers', tier);
ids.foreignTier = (await create('/loyalty_tiers', tier, stranger)).id;
const reward = { loyalty_reward: { name: 'Off', reward_type: 'discount', points_required: 5, discount_amount: 1 } };
ids.reward = (await create('/loyalty_rewards', reward)).id;
ids.foreignReward = (await create('/loyalty_rewards', reward, stranger)).id;
countedWrites = await countWrites(world);
await settle();
// The clock stands still; moving it on by a minute now and then keeps the key below its limit.
beforeEach(() => {
  if (++requests % 500 === 0) world.clock.advance(60_000);
});

function bytesOf(parts: string | Part[]): Buffer {
  return Buffer.concat([parts].flat().map((part) => (typeof part === 'string' ? Buffer.from(filledIn(part, ids)) : partBytes(part))));
}

function partBytes(part: Exclude<Part, string>): Buffer {
  if ('base64' in part) return Buffer.from(part.base64, 'base64');
  if ('gzip' in part) return gzipSync(part.gzip.repeat.repeat(part.gzip.times));
  if ('numbers' in part) return Buffer.from(Array.from({ length: part.numbers }, (_, n) => n + 1).join());
  return Buffer.from(part.repeat.repeat(part.times));
}

function requestBytes({ request, headers, key: sender, sent }: BadInput): Buffer {
  const body = sent === undefined ? Buffer.alloc(0) : bytesOf(sent);
  const credentials = sender === 'staff' ? `Authorization: Bearer ${world.store.token}` : `X-API-Key: ${key}`;
  const lines = (headers ?? (sent ? ['Content-Type: application/json'] : [])).map((line) => bytesOf(line).toString());
  const framed = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const head = [
    `${bytesOf(request)} HTTP/1.1`,
    'Host: store.example',
    'Connection: close',
    credentials,
    ...lines,
    ...(sent !== undefined && !framed ? [`Content-Length: ${body.length}`] : []),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
}

/** A query without "saves" may succeed, but must not return more than it asked for. */
function check(answer: RawAnswer, { status, body, data }: BadInput): void {
  const parsed = JSON.parse(answer.text);
  if (body !== undefined) {
    const expected = JSON.parse(JSON.stringify(body).replaceAll(/"\{(\w+)\}"/g, (_all, name: string) => String(ids[name])));
    expect([answer.status, parsed]).toEqual([status, expected]);
  } else {
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  }
  if (data !== undefined) {
    if (Array.isArray(data)) expect(parsed.data).toHaveLength(data.length);
    expect(parsed.data).toMatchObject(data as object);
  }
  if (status >= 400) {
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.text).not.toMatch(/node_modules|\.ts:|select |insert |syntax error|store_id/i);
  }
}

const triesMax = 3;
/** Other tests run beside this one; an input that is not limited takes minutes. */
const busyTimes = 10;
const waitMaxMs = 10_000;

/** The shortest of a few tries: another test may slow the machine for a moment, while a slow input is slow each time. */
async function quickest(bytes: Buffer, firstMs: number, wantedMs: number): Promise<number> {
  let tookMs = firstMs;
  for (let tries = 1; tookMs >= wantedMs && tries < triesMax; tries++) {
    const startedAt = performance.now();
    await rawRequest(world.baseUrl, bytes);
    tookMs = Math.min(tookMs, performance.now() - startedAt);
  }
  return tookMs;
}

describe.each([...new Set(badInputCases.map(({ row }) => row))].sort((a, b) => a - b))('row %i', (row) => {
  test.each(badInputCases.filter((one) => one.row === row).map((one) => [one.id, one] as const))('%s', async (_id, one) => {
    const bytes = requestBytes(one);
    const startedAt = performance.now();
    const answer = await rawRequest(world.baseUrl, bytes);
    const tookMs = performance.now() - startedAt;
    check(answer, one);
    const mostMs = Math.min(waitMaxMs, busyTimes * (one.max_ms ?? waitMaxMs));
    if (one.max_ms) expect(await quickest(bytes, tookMs, mostMs)).toBeLessThan(mostMs);
    if (one.saves) {
      expect(await countedWrites()).not.toBe(storedAt);
      await settle();
    } else await expectNothingSaved();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test('the server answers as before after all of it, and nothing was saved later', async () => {
  await world.settled();
  expect(await digests(world)).toEqual(stored);
  expect((await world.call('GET', `/products/${ids.product}`, { key })).status).toBe(200);
});
