import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { consume, InProcessTransport, type Message, Relay } from '@store/events';
import { logNothing } from '@store/testbed';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clear());

const fact = (name: string) => ({ name, aggregate: 1 });

describe('the in-process transport', () => {
  test('keeps the batch in the outbox when one subscriber fails, and the other handles nothing twice', async () => {
    const transport = new InProcessTransport();
    let down = true;
    await transport.subscribe({
      group: 'steady',
      topics: ['shop.events'],
      handle: consume({
        db: shop.db,
        handle: (em, batch) => sql(em, 'insert into shop.effects (text) values ($1)', [batch[0]!.name]).then(() => undefined),
        wants: () => true,
        log: logNothing,
      }),
    });
    await transport.subscribe({
      group: 'failing',
      topics: ['shop.events'],
      handle: async () => {
        if (down) throw new Error('down');
      },
    });
    const relay = new Relay({ url: shop.url, schema: 'shop', transport, log: logNothing });
    await shop.emitted(fact('a'));
    await expect(relay.drain()).rejects.toThrow('down');
    expect(await shop.count('outbox')).toBe(1);
    down = false;
    await relay.drain();
    await relay.stop();
    expect([await shop.count('outbox'), await shop.effects()]).toEqual([0, ['a']]);
  });

  test('passes a subscriber only the topics it asked for', async () => {
    const transport = new InProcessTransport();
    const seen: string[] = [];
    await transport.subscribe({
      group: 'g',
      topics: ['other.events'],
      handle: async (batch) => void seen.push(...batch.map((message) => message.id)),
    });
    await transport.publish([{ topic: 'shop.events', id: '1' } as Message, { topic: 'other.events', id: '2' } as Message]);
    expect(seen).toEqual(['2']);
  });

  test('that is held passes nothing on until it is opened, and then to every group', async () => {
    const transport = new InProcessTransport({ held: true });
    const seen: string[] = [];
    const listen = (group: string) =>
      transport.subscribe({ group, topics: ['shop.events'], handle: async (batch) => void seen.push(`${group} ${batch[0]!.name}`) });
    await listen('first');
    await shop.emitted(fact('a'));
    const relay = new Relay({ url: shop.url, schema: 'shop', transport, log: logNothing });
    const drained = relay.drain();
    await shop.db.unit(1, (em) => sql(em, 'select pg_sleep(0.05)'));
    expect([seen, await shop.count('outbox')]).toEqual([[], 1]);
    await listen('second');
    transport.open();
    await drained;
    await relay.stop();
    expect([seen, await shop.count('outbox')]).toEqual([['first a', 'second a'], 0]);
  });

  test.each([[{ held: true }], [{ held: false }]])('that is closed (%j) accepts no batch: its rows stay in the outbox', async (options) => {
    const transport = new InProcessTransport(options);
    await shop.emitted(fact('a'));
    const relay = new Relay({ url: shop.url, schema: 'shop', transport, log: logNothing });
    const drained = relay.drain();
    if (!options.held) await drained;
    else await expect(Promise.all([drained, transport.stop()])).rejects.toThrow('The transport is closed');
    await transport.stop();
    await shop.emitted(fact('b'));
    await expect(relay.drain()).rejects.toThrow('The transport is closed');
    await relay.stop();
    expect(await shop.count('outbox')).toBe(options.held ? 2 : 1);
  });
});
