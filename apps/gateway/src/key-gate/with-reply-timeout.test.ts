/** Whose fault it is that an answer is late: this process's, whose event loop was held up, or Redis's (P16). */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { capturingLog, describeWithRedis } from '@store/testbed';
import { createClient } from 'redis';
import { freePort, newHash, type RunningRedis, redisOptions, startRedis } from './key-gates.testing.ts';
import { openRedisKeyGate, type RedisGate } from './redis.ts';

const timeoutMs = 300;
const deafAfterMs = 2_000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Holds up the event loop, as a machine does that has no CPU left for this process. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describeWithRedis('an answer of Redis', () => {
  let redis: RunningRedis;
  let keyGate: RedisGate;
  const { log, lines } = capturingLog();

  beforeEach(async () => {
    redis = await startRedis(await freePort());
    keyGate = await openRedisKeyGate(redisOptions({ url: redis.url, log, timeoutMs, deafAfterMs }));
    await keyGate.admit(newHash());
    lines.length = 0;
  });
  afterEach(async () => {
    await keyGate.stop();
    await redis.stop();
  });

  /** Redis keeps every command for that long before it answers. */
  async function slowRedis(ms: number): Promise<void> {
    const client = await createClient({ url: redis.url }).connect();
    await client.sendCommand(['CLIENT', 'PAUSE', String(ms), 'ALL']);
    client.destroy();
  }
  /** What became of the call and how long it took. */
  async function outcomeOf(call: Promise<unknown>): Promise<{ failed: boolean; ms: number }> {
    const startedAt = performance.now();
    const failed = await call.then(
      () => false,
      () => true,
    );
    return { failed, ms: performance.now() - startedAt };
  }

  test('to a call that could not be written for longer than the wait is waited for from then on', async () => {
    await slowRedis(2.6 * timeoutMs);
    const asked = outcomeOf(keyGate.admit(newHash()));
    holdUp(2 * timeoutMs);
    expect(await asked).toMatchObject({ failed: false });
  });

  test('that comes soon after the event loop was held up is taken', async () => {
    await slowRedis(2 * timeoutMs);
    const asked = outcomeOf(keyGate.admit(newHash()));
    await wait(20);
    holdUp(1.8 * timeoutMs - 20);
    expect(await asked).toMatchObject({ failed: false });
  });

  test('that does not come is given up after the wait, and after twice the wait at most besides what held up the event loop', async () => {
    redis.process.kill('SIGSTOP');
    const idle = await outcomeOf(keyGate.admit(newHash()));
    expect(idle.failed).toBe(true);
    expect(idle.ms).toBeLessThan(2 * timeoutMs);
    const asked = outcomeOf(keyGate.admit(newHash()));
    await wait(20);
    holdUp(2 * timeoutMs);
    const heldUp = await asked;
    expect(heldUp.failed).toBe(true);
    expect(heldUp.ms).toBeLessThan(4 * timeoutMs);
  });

  test('is not missed for as long as this process could not ask: the connection is kept', async () => {
    redis.process.kill('SIGSTOP');
    const asked = outcomeOf(keyGate.admit(newHash()));
    holdUp(deafAfterMs + timeoutMs);
    expect(await asked).toMatchObject({ failed: true });
    expect(lines.map(({ msg }) => msg)).not.toContain('Redis has not answered for a while; opening a new connection');
  });
});
