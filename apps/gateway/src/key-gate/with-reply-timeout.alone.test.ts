/** Whether a late answer was caused by this process (a blocked event loop) or by Redis (P16). */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { capturingLog, describeWithRedis } from '@store/testbed';
import { createClient } from 'redis';
import { freePort, newHash, type RunningRedis, redisOptions, startRedis } from './key-gates.testing.ts';
import { openRedisKeyGate, type RedisGate } from './redis.ts';

const timeoutMs = 300;
const deafAfterMs = 2_000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Blocks the event loop, as on a machine without free CPU. */
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

  /** Redis delays every answer by that long. */
  async function slowRedis(ms: number): Promise<void> {
    const client = await createClient({ url: redis.url }).connect();
    await client.sendCommand(['CLIENT', 'PAUSE', String(ms), 'ALL']);
    client.destroy();
  }
  /** The result of the call and how long it took. */
  async function outcomeOf(call: Promise<unknown>): Promise<{ failed: boolean; ms: number }> {
    const startedAt = performance.now();
    const failed = await call.then(
      () => false,
      () => true,
    );
    return { failed, ms: performance.now() - startedAt };
  }

  test('a call that waited long to be written still has its whole timeout after that', async () => {
    await slowRedis(2.6 * timeoutMs);
    const asked = outcomeOf(keyGate.admit(newHash()));
    holdUp(2 * timeoutMs);
    expect(await asked).toMatchObject({ failed: false });
  });

  test('an answer soon after the event loop was blocked is accepted', async () => {
    await slowRedis(2 * timeoutMs);
    const asked = outcomeOf(keyGate.admit(newHash()));
    await wait(20);
    holdUp(1.8 * timeoutMs - 20);
    expect(await asked).toMatchObject({ failed: false });
  });

  test('a missing answer times out, also when the event loop was blocked meanwhile', async () => {
    redis.process.kill('SIGSTOP');
    expect(await outcomeOf(keyGate.admit(newHash()))).toMatchObject({ failed: true });
    const asked = outcomeOf(keyGate.admit(newHash()));
    await wait(20);
    holdUp(2 * timeoutMs);
    expect(await asked).toMatchObject({ failed: true });
  });

  test('while this process could not send, nothing counts as unanswered: the connection is kept', async () => {
    redis.process.kill('SIGSTOP');
    const asked = outcomeOf(keyGate.admit(newHash()));
    holdUp(deafAfterMs + timeoutMs);
    expect(await asked).toMatchObject({ failed: true });
    expect(lines.map(({ msg }) => msg)).not.toContain('Redis has not answered for a while; opening a new connection');
  });
});
