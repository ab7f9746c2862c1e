/** P21: a gateway that is asked to stop first reports it on /readyz, and still answers requests. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { InProcessTransport } from '@store/events';
import { logNothing, testDatabase } from '@store/testbed';
import { start } from '../src/main.ts';

const notReadyMs = 300;
const secret = () => `1:${randomBytes(32).toString('base64')}`;

test('it is not ready for the configured time before it stops accepting connections', async () => {
  const database = await testDatabase('metrics', async () => undefined);
  const env = {
    DATABASE_URL: database.url,
    GATEWAY_PORT: '0',
    GATEWAY_NOT_READY_MS: String(notReadyMs),
    KEY_PEPPERS: secret(),
    SECRET_KEYS: secret(),
  };
  const gateway = await start({ env, log: logNothing, transport: new InProcessTransport() });
  const status = async (path: string) => (await fetch(`http://${gateway.address}${path}`)).status;
  try {
    expect(await status('/readyz')).toBe(200);
    const startedAtMs = performance.now();
    const stopped = gateway.stop();
    expect(await Promise.all([status('/readyz'), status('/healthz'), status('/api/v1/products')])).toEqual([503, 200, 401]);
    await stopped;
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(notReadyMs);
    await expect(status('/healthz')).rejects.toThrow('fetch failed');
  } finally {
    await gateway.stop();
    await database.close();
  }
});
