import { describe, expect, test } from '@jest/globals';
import { isForgotten } from './idempotency-key.ts';
import { Intent } from './intent.ts';
import { ApiProblem, LostAnswer } from './problem.ts';

/** A store that answers each call with the next of these; a number is a status without success. */
function intentOf(...answers: (number | object)[]) {
  const keys: (string | undefined)[] = [];
  let made = 0;
  const intent = new Intent(
    async (_name, _input, options) => {
      keys.push(options?.idempotencyKey);
      const answer = answers.shift();
      if (typeof answer === 'number') throw new ApiProblem(answer, 'No');
      return answer as never;
    },
    () => `key ${++made}`,
  );
  const move = (amount: number) =>
    intent.send('moveDrawerCash', { params: { id: 1 }, body: { amount, reason: 'Milk' } }).catch((error: Error) => error);
  const release = () => intent.send('releaseHold', { params: { id: 1, hold_id: 2 } }).catch((error: Error) => error);
  return { intent, keys, move, release };
}

describe('what a form sends', () => {
  test.each([0, 500, 503])('after %i keeps its key until it has an answer, and is then something new', async (status) => {
    const { intent, keys, move } = intentOf(status, 401, 403, 408, 409, 429, { id: 7 }, { id: 8 });
    for (let asked = 0; asked < 6; asked++) {
      expect(await move(5)).toBeInstanceOf(LostAnswer);
      expect(intent.isOwed).toBe(true);
    }
    expect(await move(5)).toEqual({ id: 7 });
    expect(intent.isOwed).toBe(false);
    await move(5);
    expect(keys).toEqual([...Array(7).fill('key 1'), 'key 2']);
  });

  test('under a key that the store has forgotten is not sent again', async () => {
    let sent = 0;
    const lose = async () => {
      sent++;
      throw new ApiProblem(0, 'No');
    };
    const intent = new Intent(lose, () => `${Date.now() - 24 * 3_600_000}-a`);
    const release = () => intent.send('releaseHold', { params: { id: 1, hold_id: 2 } }).catch((error: Error) => error);
    expect(await release()).toBeInstanceOf(LostAnswer);
    const refused = await release();
    expect(refused).toMatchObject({ message: expect.stringContaining('more than a day ago') });
    expect([refused instanceof LostAnswer, intent.isOwed, sent]).toEqual([false, false, 1]);
    // Of a key without a time nothing is known.
    expect(isForgotten('9f3c02b1d4e5')).toBe(false);
  });

  test('is another record once the form was closed', async () => {
    const { intent, keys, move } = intentOf(0, { id: 8 });
    await move(5);
    intent.forget();
    await move(5);
    expect(keys).toEqual(['key 1', 'key 2']);
  });

  test.each([401, 403, 408, 409, 422, 429])('and is refused with %i is owed no answer', async (status) => {
    const { intent, keys, move } = intentOf(status, { id: 8 });
    expect(await move(5)).not.toBeInstanceOf(LostAnswer);
    expect(intent.isOwed).toBe(false);
    await move(6);
    expect(keys).toEqual(['key 1', 'key 2']);
  });

  test('to take away is done when gone at the second time, refused at the first', async () => {
    const lost = intentOf(0, 404);
    expect(await lost.release()).toBeInstanceOf(LostAnswer);
    expect(await lost.release()).toBeUndefined();
    expect(await intentOf(404).release()).toMatchObject({ status: 404 });
  });
});
