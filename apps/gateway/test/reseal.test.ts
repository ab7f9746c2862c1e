/** A change of SECRET_KEYS and KEY_PEPPERS: rows that need the old ones are listed, and the start refuses to lose them. */
import { expect, test } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { resealApp } from '@store/service';
import { findKey } from '../src/keys/find-key.ts';
import { keyHashes, parsePeppers } from '../src/keys/key-text.ts';
import { hashedKeys, sealedRows } from '../src/sealed.ts';
import { messageOf, staffCall } from './gateway-under-test.ts';
import { gateway, shareGateway } from './shared-gateway.ts';
import { secret, startGateway } from './started-gateway.ts';

shareGateway();
const [firstKey, secondKey, firstPepper, secondPepper] = [secret(1), secret(2), secret(1), secret(2)];

async function reseal(keys: string, peppers: string): Promise<string[]> {
  const lines: string[] = [];
  const others = [hashedKeys(parsePeppers(peppers))];
  const say = (line: string) => void lines.push(line);
  await resealApp({ app: 'gateway', url: gateway.url, ring: parseKeyRing(keys), rows: sealedRows, others, say });
  return lines;
}
const starts = async (SECRET_KEYS: string, KEY_PEPPERS: string) => (await startGateway(gateway.url, { SECRET_KEYS, KEY_PEPPERS })).stop();

test('a pepper that differs from the stored one of its number stops the start', async () => {
  const [unused, right, wrong, next] = [secret(1), secret(1), secret(1), secret(2)];
  await starts(firstKey!, unused!);
  // There is no key yet: a different pepper may take its number.
  await starts(firstKey!, right!);
  gateway.app.config = { ...gateway.app.config, peppers: parsePeppers(right!) };
  const store = await gateway.store();
  const { id } = await gateway.key(store);
  await expect(starts(firstKey!, wrong!)).rejects.toThrow(
    'Bad configuration:\n  KEY_PEPPERS: key 1 is not the one with which 1 API keys were hashed',
  );
  await expect(starts(firstKey!, `${next},${wrong}`)).rejects.toThrow('key 1 is not the one');
  await starts(firstKey!, `${next},${right}`);
  await starts(firstKey!, right!);
  await gateway.verbs.RevokeApiKey({ id: String(id) }, staffCall(store.session));
});

test('a stored answer with a key is re-encrypted; a pepper may go once all keys moved', async () => {
  gateway.app.config = { peppers: parsePeppers(firstPepper!), keyRing: parseKeyRing(firstKey!) };
  const store = await gateway.store();
  const request = { api_key: { name: 'Web shop', scopes: ['products:read'] } };
  const call = staffCall(store.session, { idempotency: { key: 'k1', hash: Buffer.alloc(32) } });
  const { key } = messageOf(await gateway.verbs.CreateApiKey(request, call));
  const revoked = await gateway.key(store);
  await gateway.verbs.RevokeApiKey({ id: String(revoked.id) }, staffCall(store.session));

  await expect(starts(secondKey, secondPepper)).rejects.toThrow(
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
