/** Whether a late answer was caused by this process (a blocked event loop) or by Redis (P16), in a loop whose turns the test makes. */
import { expect, test } from '@jest/globals';
import { type Loop, NoAnswer, withReplyTimeout } from './with-reply-timeout.ts';

const timeoutMs = 300;

/** As Node's: timers that are due run first, then what has arrived is read, then immediates run. */
class PlayedLoop implements Loop {
  #nowMs = 0;
  #timers: { dueMs: number; run: () => void }[] = [];
  #immediates: (() => void)[] = [];

  now = () => this.#nowMs;

  after(ms: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  soon(run: () => void): () => void {
    this.#immediates.push(run);
    return () => {
      this.#immediates = this.#immediates.filter((one) => one !== run);
    };
  }

  /** That much later, blocked until then, one turn. */
  async turn(afterMs: number, read: () => void = () => undefined): Promise<void> {
    this.#nowMs += afterMs;
    for (const timer of this.#timers.filter(({ dueMs }) => dueMs <= this.#nowMs)) {
      this.#timers = this.#timers.filter((one) => one !== timer);
      timer.run();
    }
    read();
    // What was read settles its promise before the next phase.
    await Promise.resolve().then(() => undefined);
    for (const run of this.#immediates.splice(0)) run();
  }
}

function asked(loop: PlayedLoop) {
  const answer = Promise.withResolvers<string>();
  const outcome = withReplyTimeout(timeoutMs, answer.promise, loop).catch((error: unknown) =>
    error instanceof NoAnswer ? error : 'failed',
  );
  return { outcome, answered: () => answer.resolve('answer') };
}

test('a call that waited long to be written still has its whole timeout after that', async () => {
  const loop = new PlayedLoop();
  const { outcome, answered } = asked(loop);
  await loop.turn(2 * timeoutMs);
  await loop.turn(0.9 * timeoutMs, answered);
  expect(await outcome).toBe('answer');
});

test.each([
  ['with the bytes that wait to be read', 0],
  ['shortly after', 0.4 * timeoutMs],
])('an answer that comes after the event loop was blocked is accepted: %s', async (_, laterMs) => {
  const loop = new PlayedLoop();
  const { outcome, answered } = asked(loop);
  await loop.turn(0);
  await loop.turn(1.8 * timeoutMs, laterMs === 0 ? answered : undefined);
  if (laterMs > 0) await loop.turn(laterMs, answered);
  expect(await outcome).toBe('answer');
});

test('an answer that has arrived when the time is over is read first', async () => {
  const loop = new PlayedLoop();
  const { outcome, answered } = asked(loop);
  await loop.turn(0);
  await loop.turn(timeoutMs, answered);
  expect(await outcome).toBe('answer');
});

test('a missing answer times out, also when the event loop is blocked again and again', async () => {
  const loop = new PlayedLoop();
  const { outcome } = asked(loop);
  await loop.turn(10);
  for (let turn = 0; turn < 3; turn++) await loop.turn(2 * timeoutMs);
  expect(await outcome).toMatchObject({ sinceMs: 10 });
});
