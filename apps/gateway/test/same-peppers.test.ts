/** Peppers at the start: a different pepper under a used number is refused at the start, before it would refuse every key. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { InProcessTransport } from '@store/events';
import { logNothing } from '@store/testbed';
import { parsePeppers } from '../src/keys/key-text.ts';
import { start } from '../src/main.ts';
import { gateway, shareGateway } from './shared-gateway.ts';

const secret = (id: number) => `${id}:${randomBytes(32).toString('base64')}`;
shareGateway();

async function startWith(peppers: string): Promise<void> {
  const env = { DATABASE_URL: gateway.url, GATEWAY_PORT: '0', GATEWAY_NOT_READY_MS: '0', SECRET_KEYS: secret(1), KEY_PEPPERS: peppers };
  await (await start({ env, log: logNothing, transport: new InProcessTransport() })).stop();
}

test('a pepper that differs from the stored one of its number stops the start, once a valid key was hashed with that', async () => {
  const [unused, right, wrong, next] = [secret(1), secret(1), secret(1), secret(2)];
  await startWith(unused);
  // There is no key yet: a different pepper may take its number.
  await startWith(right);
  gateway.app.config = { ...gateway.app.config, peppers: parsePeppers(right) };
  await gateway.key(await gateway.store());
  await expect(startWith(wrong)).rejects.toThrow(
    'Bad configuration:\n  KEY_PEPPERS: key 1 is not the one with which 1 API keys were hashed',
  );
  await expect(startWith(`${next},${wrong}`)).rejects.toThrow('key 1 is not the one');
  await startWith(`${next},${right}`);
  await startWith(right);
});
