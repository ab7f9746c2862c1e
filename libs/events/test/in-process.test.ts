import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { InProcessTransport } from '@store/events';
import { idsOf, message, shareShop, shop } from './shop.ts';

shareShop();

const topics = ['shop.events'];
const fact = (name: string) => ({ name, aggregate: 1 });

describe('the in-process transport', () => {
  test('keeps the batch in the outbox when one subscriber fails; others repeat nothing', async () => {
    const transport = new InProcessTransport();
    let down = true;
    await transport.subscribe({ group: 'steady', topics, handle: shop.consumer() });
    const handle = async () => {
      if (down) throw new Error('down');
    };
    await transport.subscribe({ group: 'failing', topics, handle });
    await shop.emitted(fact('a'));
    const relay = shop.relay(transport);
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
    await transport.subscribe({ group: 'g', topics, handle: async (batch) => void seen.push(...idsOf(batch)) });
    const own = message({ topic: 'shop.events' });
    await transport.publish([message({ topic: 'other.events' }), own]);
    expect(seen).toEqual([own.id]);
  });

  test('that is held passes nothing on until it is opened, and then to every group', async () => {
    const transport = new InProcessTransport({ held: true });
    const seen: string[] = [];
    const listen = (group: string) =>
      transport.subscribe({ group, topics, handle: async (batch) => void seen.push(`${group} ${batch[0]!.name}`) });
    await listen('first');
    await shop.emitted(fact('a'));
    const drained = shop.drain(transport);
    await shop.db.unit(1, (em) => sql(em, 'select pg_sleep(0.05)'));
    expect([seen, await shop.count('outbox')]).toEqual([[], 1]);
    await listen('second');
    transport.open();
    await drained;
    expect([seen, await shop.count('outbox')]).toEqual([['first a', 'second a'], 0]);
  });

  test.each([[{ held: true }], [{ held: false }]])('that is closed (%j) accepts no batch: its rows stay in the outbox', async (options) => {
    const transport = new InProcessTransport(options);
    await shop.emitted(fact('a'));
    const relay = shop.relay(transport);
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
