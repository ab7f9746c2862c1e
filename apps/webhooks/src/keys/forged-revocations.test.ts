/** Write access to the transport is not enough to stop deliveries: a revocation must be signed by the gateway. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RevokedKey, revocationFact } from '@store/events';
import { ServiceKeys } from '@store/rpc';
import { testTrust } from '@store/testbed';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, revocation } from '../../test/webhooks-under-test.ts';

shareWebhooks();
beforeEach(async () => {
  await webhooks.subscribe();
});

const key: RevokedKey = { key_id: 12, revoked_at: '2026-11-21T09:30:00.000Z' };
const wordFor = (revoked: RevokedKey, storeId = 1) => testTrust().keys.attest(revocationFact(storeId, revoked));
const clock = { now: () => new Date() };
const newKey = () => ({ id: 2, secret: randomBytes(32) });

describe('a forged key.revoked stops no delivery and is dead-lettered', () => {
  test.each<[string, RevokedKey]>([
    ['without a word', key],
    ['with a made-up word', { ...key, word: `1.${'A'.repeat(43)}` }],
    ['with what is no word', { ...key, word: 'believe me' }],
    ['with the word of another ring', { ...key, word: new ServiceKeys([newKey()], clock).attest(revocationFact(1, key)) }],
    ['with the word for another key', { ...key, word: wordFor({ ...key, key_id: 13 }) }],
    ['with the word for another store', { ...key, word: wordFor(key, 2) }],
    ['with the word for another time', { ...key, word: wordFor({ ...key, revoked_at: '2026-11-20T00:00:00.000Z' }) }],
  ])('%s', async (_how, forgedKey) => {
    const forged = event({ topic: 'gateway.events', name: 'key.revoked', public: null, internal: { key: forgedKey } });
    await webhooks.publish(forged, event());
    await webhooks.loop.drain();
    expect(webhooks.received).toHaveLength(1);
    expect(await webhooks.rows('select from webhooks.revoked_keys')).toEqual([]);
    expect(await webhooks.rows('select event_id::text, error from webhooks.dead_letters where event_id = $1', [forged.id])).toEqual([
      { event_id: forged.id, error: expect.stringContaining('the gateway did not sign this revocation') },
    ]);
  });
});

test("a dead letter with the gateway's signature is accepted whenever it is sent again, also by a ring with a newer key", async () => {
  const letter = revocation(key);
  webhooks.clock.advance(40 * 86_400_000);
  await webhooks.publish(letter);
  await webhooks.publish(event());
  await webhooks.loop.drain();
  expect(webhooks.received).toEqual([]);
  const old = { id: 1, secret: randomBytes(32) };
  const word = new ServiceKeys([old], clock).attest(revocationFact(1, key));
  expect(new ServiceKeys([newKey(), old], clock).isAttested(revocationFact(1, key), word)).toBe(true);
});
