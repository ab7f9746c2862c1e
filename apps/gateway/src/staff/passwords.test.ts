import { describe, expect, test } from '@jest/globals';
import { systemClock } from '@store/db';
import { Asker, askedBy } from '@store/shares/asker';
import { refusal } from '../../test/gateway-under-test.ts';
import { openPasswords } from './passwords.ts';

describe('passwords', () => {
  test('production hashes at N=2^17, r=8, p=1; a hash is checked at its own cost', async () => {
    const [real, cheap] = [openPasswords(), openPasswords(2 ** 4)];
    const stored = await real.hash('correct horse battery');
    expect(stored).toMatch(/^scrypt\$131072\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
    expect(await cheap.matches('correct horse battery', stored)).toBe(true);
    expect(await cheap.matches('correct horse batterz', stored)).toBe(false);
    expect(await cheap.matches('correct horse battery', undefined)).toBe(false);
  });

  /** NFKC orders combining marks in quadratic time: 2.3 s for these 160 KB. */
  const hostile = '\u0315'.repeat(40_000) + '\u0300'.repeat(40_000);

  test('a text above 256 characters is refused before it is normalised or hashed', async () => {
    const passwords = openPasswords(2 ** 4);
    const stored = await passwords.hash('x'.repeat(256));
    expect(await passwords.matches('x'.repeat(256), stored)).toBe(true);
    expect(await passwords.matches('x'.repeat(257), stored)).toBe(false);
    const before = process.cpuUsage();
    for (const none of [stored, undefined]) expect(await passwords.matches(hostile, none)).toBe(false);
    await expect(passwords.hash(hostile)).rejects.toThrow('checked before it is hashed');
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test('an unknown account costs as much as a known one', async () => {
    const passwords = openPasswords(2 ** 14);
    const stored = await passwords.hash('correct horse battery');
    const shortest = async (hash: string | undefined) => {
      const times = [];
      for (let n = 0; n < 5; n++) {
        // Not by the clock: other tests share the machine.
        const before = process.cpuUsage();
        await passwords.matches('wrong horse battery', hash);
        times.push(process.cpuUsage(before).user);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await shortest(stored), await shortest(undefined)];
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });

  test('on two processors one is hashed at a time; one that would be late is told when', async () => {
    const passwords = openPasswords(2 ** 4, systemClock, 2);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = passwords.inTurn(() => held);
    const late = askedBy(new Asker(1, Date.now() + 500), () => passwords.inTurn(async () => undefined));
    expect((await refusal(late)).status).toBe(429);
    release();
    await first;
    await passwords.inTurn(async () => undefined);
  });

  test('at most two are hashed at a time; the line is bounded, per store and in all', async () => {
    const passwords = openPasswords(2 ** 4, systemClock, 16);
    let [running, most] = [0, 0];
    const keyGates: (() => void)[] = [];
    const work = () =>
      passwords.inTurn(async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => keyGates.push(resolve));
        running -= 1;
      });
    const of = (store: number, count: number) => Array.from({ length: count }, () => askedBy(new Asker(store), work));
    const all = of(1, 27);
    expect((await refusal(of(1, 1)[0]!)).status).toBe(429);
    // The line is full when others come: the newest of the store of which most wait make room for them.
    const crowd = Promise.allSettled([2, 3, 4, 5].flatMap((store) => of(store, 20)));
    const outcomes = Promise.allSettled(all);
    for (let done = 0; done < 102; ) {
      const free = keyGates.shift();
      if (free) {
        free();
        done += 1;
      } else await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect((await crowd).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(most).toBe(2);
  });

  test("a store's login is the next however many another store's clerk repeats (D256)", async () => {
    const passwords = openPasswords(2 ** 4);
    const order: number[] = [];
    const login = (store: number) => askedBy(new Asker(store), () => passwords.inTurn(async () => void order.push(store)));
    await Promise.all([...Array.from({ length: 20 }, () => login(1)), login(2)]);
    expect(order.indexOf(2)).toBeLessThan(4);
  });
});
