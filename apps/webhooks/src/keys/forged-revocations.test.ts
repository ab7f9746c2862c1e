/** Write access to the transport is not enough to stop deliveries: a revocation must be signed by the gateway. */
import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { type RevokedKey, revocationFact } from '@store/events';
import { ServiceKeys } from '@store/rpc';
import { testTrust } from '@store/testbed';
import { event, revocation, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';

shareWebhooks();
beforeEach(async () => {
  await webhooks.subscribe();
});

const key: RevokedKey = { key_id: 12, revoked_at: '2026-11-21T09:30:00.000Z' };
const signatureOf = (revoked: RevokedKey, storeId = 1) => testTrust().keys.attest(revocationFact(storeId, revoked));
const clock = { now: () => new Date() };
const newKey = () => ({ id: 2, secret: randomBytes(32) });

test.each<[string, RevokedKey]>([
  ['without a signature', key],
  ['with a made-up signature', { ...key, word: `1.${'A'.repeat(43)}` }],
  ['with what is no signature', { ...key, word: 'believe me' }],
  ['signed by another ring', { ...key, word: new ServiceKeys([newKey()], clock).attest(revocationFact(1, key)) }],
  ['signed for another key', { ...key, word: signatureOf({ ...key, key_id: 13 }) }],
  ['signed for another store', { ...key, word: signatureOf(key, 2) }],
  ['signed for another time', { ...key, word: signatureOf({ ...key, revoked_at: '2026-11-20T00:00:00.000Z' }) }],
])('a key.revoked %s stops no delivery and is dead-lettered', async (_how, forgedKey) => {
  const forged = event({ topic: 'gateway.events', name: 'key.revoked', public: null, internal: { key: forgedKey } });
  await webhooks.deliver(forged, event());
  expect(webhooks.received).toHaveLength(1);
  expect(await webhooks.rows('select from webhooks.revoked_keys')).toEqual([]);
  expect(await webhooks.rows('select event_id::text, error from webhooks.dead_letters where event_id = $1', [forged.id])).toEqual([
    { event_id: forged.id, error: expect.stringContaining('the gateway did not sign this revocation') },
  ]);
});

test('a signed dead letter is accepted later, also by a ring with a newer key', async () => {
  const letter = revocation(key);
  webhooks.clock.advance(40 * 86_400_000);
  await webhooks.publish(letter);
  await webhooks.deliver(event());
  expect(webhooks.received).toEqual([]);
  const old = { id: 1, secret: randomBytes(32) };
  const word = new ServiceKeys([old], clock).attest(revocationFact(1, key));
  expect(new ServiceKeys([newKey(), old], clock).isAttested(revocationFact(1, key), word)).toBe(true);
});
