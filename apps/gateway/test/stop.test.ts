/** P21: a gateway that is asked to stop first reports it on /readyz, and still answers requests. */
import { expect, test } from '@jest/globals';
import { testDatabase } from '@store/testbed';
import { startGateway } from './started-gateway.ts';

const notReadyMs = 300;

test('it is not ready for the configured time before it accepts no more connections', async () => {
  const database = await testDatabase('metrics', async () => undefined);
  const gateway = await startGateway(database.url, { GATEWAY_NOT_READY_MS: String(notReadyMs) });
  const status = async (path: string) => (await fetch(`http://${gateway.address}${path}`)).status;
  try {
    const ready = await fetch(`http://${gateway.address}/readyz`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([200, 'keep-alive']);
    const startedAtMs = performance.now();
    const stopped = gateway.stop();
    const answers = await Promise.all(['/readyz', '/healthz', '/api/v1/products'].map((path) => fetch(`http://${gateway.address}${path}`)));
    expect(answers.map((answer) => answer.status)).toEqual([503, 200, 401]);
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close', 'close']);
    await stopped;
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(notReadyMs);
    await expect(status('/healthz')).rejects.toThrow('fetch failed');
  } finally {
    await gateway.stop();
    await database.close();
  }
});
