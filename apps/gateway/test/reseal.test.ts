/** A change of SECRET_KEYS and KEY_PEPPERS: rows that need the old ones are listed, and the start refuses to lose them. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { InProcessTransport } from '@store/events';
import { resealApp } from '@store/service';
import { logNothing } from '@store/testbed';
import { findKey } from '../src/keys/find-key.ts';
import { keyHashes, parsePeppers } from '../src/keys/key-text.ts';
import { start } from '../src/main.ts';
import { hashedKeys, sealedRows } from '../src/sealed.ts';
import { gatewayUnderTest, messageOf, type Store, staffCall } from './gateway-under-test.ts';

const secret = (id: number) => `${id}:${randomBytes(32).toString('base64')}`;
const [firstKey, secondKey, firstPepper, secondPepper] = [secret(1), secret(2), secret(1), secret(2)];
let gateway: Awaited<ReturnType<typeof gatewayUnderTest>>;
let store: Store;
beforeAll(async () => {
  gateway = await gatewayUnderTest();
  gateway.app.config = { peppers: parsePeppers(firstPepper), keyRing: parseKeyRing(firstKey) };
  store = await gateway.store();
});
afterAll(() => gateway.close());

async function reseal(keys: string, peppers: string): Promise<string[]> {
  const lines: string[] = [];
  const others = [hashedKeys(parsePeppers(peppers))];
  const say = (line: string) => void lines.push(line);
  await resealApp({ app: 'gateway', url: gateway.url, ring: parseKeyRing(keys), rows: sealedRows, others, say });
  return lines;
}
const startWith = (keys: string, peppers: string) =>
  start({
    env: { DATABASE_URL: gateway.url, GATEWAY_PORT: '0', SECRET_KEYS: keys, KEY_PEPPERS: peppers },
    log: logNothing,
    transport: new InProcessTransport(),
  });

test('a stored answer with a key is re-encrypted and replayed unchanged; a pepper can be removed when every valid key has moved', async () => {
  const request = { api_key: { name: 'Web shop', scopes: ['products:read'] } };
  const call = staffCall(store.session, { idempotency: { key: 'k1', hash: Buffer.alloc(32) } });
  const { key } = messageOf(await gateway.verbs.CreateApiKey(request, call));
  const revoked = await gateway.key(store);
  await gateway.verbs.RevokeApiKey({ id: String(revoked.id) }, staffCall(store.session));

  await expect(startWith(secondKey, secondPepper)).rejects.toThrow(
    'Bad configuration:\n  SECRET_KEYS lacks key 1, which 1 stored answers name\n  KEY_PEPPERS lacks key 1, which 1 API keys name',
  );
  expect(await reseal(`${secondKey},${firstKey}`, `${secondPepper},${firstPepper}`)).toEqual([
    'gateway: 0 second factors moved to key 2 of SECRET_KEYS.',
    'gateway: 1 stored answers moved to key 2 of SECRET_KEYS.',
    'gateway: key 1 of SECRET_KEYS may go.',
    'gateway: key 1 of KEY_PEPPERS must stay: 1 API keys name it.',
  ]);
  gateway.app.config = { peppers: parsePeppers(`${secondPepper},${firstPepper}`), keyRing: parseKeyRing(secondKey) };
  const replayed = await gateway.verbs.CreateApiKey(request, call);
  expect(Buffer.from((replayed as { options: { bytes: Uint8Array } }).options.bytes).toString()).toContain(key);
  expect(await findKey(gateway.app, keyHashes(gateway.app.config.peppers, key!))).toBeDefined();
  expect(await reseal(secondKey, `${secondPepper},${firstPepper}`)).toContain('gateway: key 1 of KEY_PEPPERS may go.');
});
