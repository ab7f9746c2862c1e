import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../test/gateway-under-test.ts';
import { openPasswords } from './passwords.ts';

describe('passwords', () => {
  test('the real cost is N=2^17, r=8, p=1, and a hash made at one cost is checked at its own', async () => {
    const [real, cheap] = [openPasswords(), openPasswords(2 ** 4)];
    const stored = await real.hash('correct horse battery');
    expect(stored).toMatch(/^scrypt\$131072\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
    expect(await cheap.matches('correct horse battery', stored)).toBe(true);
    expect(await cheap.matches('correct horse batterz', stored)).toBe(false);
    expect(await cheap.matches('correct horse battery', undefined)).toBe(false);
  });

  test('at most two are hashed at a time, and the queue behind them has an end', async () => {
    const passwords = openPasswords(2 ** 4);
    let [running, most] = [0, 0];
    const gates: (() => void)[] = [];
    const work = () =>
      passwords.inTurn(async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      });
    const all = Array.from({ length: 102 }, work);
    expect((await refusal(work())).status).toBe(429);
    for (let done = 0; done < 102; ) {
      const free = gates.shift();
      if (free) {
        free();
        done += 1;
      } else await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(most).toBe(2);
  });
});
