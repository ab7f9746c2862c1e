/** A blocked event loop is not taken for a Redis that is silent for too long (P16); with-reply-timeout.test.ts has its parts. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { capturingLog, describeWithRedis } from '@store/testbed';
import { freePort, newHash, type RunningRedis, redisOptions, startRedis } from './key-gates.testing.ts';
import { openRedisKeyGate, type RedisGate } from './redis.ts';

const timeoutMs = 300;
const deafAfterMs = 2_000;

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

  test('while this process could not send, nothing counts as unanswered: it stays open', async () => {
    redis.process.kill('SIGSTOP');
    const asked = expect(keyGate.admit(newHash())).rejects.toThrow('Redis did not answer');
    holdUp(deafAfterMs + timeoutMs);
    await asked;
    expect(lines.map(({ msg }) => msg)).not.toContain('Redis has not answered for a while; opening a new connection');
  });
});
