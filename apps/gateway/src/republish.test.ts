import { expect, test } from '@jest/globals';
import { revocationFact } from '@store/events';
import { republish } from '@store/service';
import { staffCall } from '../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../test/shared-gateway.ts';
import { republishKeys, republishStaff } from './republish.ts';

shareGateway();

test('revoked keys alone are sent again, signed; a stopped run goes on where it was', async () => {
  const { app } = gateway;
  const [first, second] = [await gateway.key(store), await gateway.key(store)];
  await gateway.key(store);
  for (const { id } of [first, second]) await gateway.verbs.RevokeApiKey({ id: String(id) }, staffCall(store.session));
  const [last] = await app.db.read<{ id: number }>('select max(id)::int as id from gateway.outbox where store_id = $1', [store.storeId]);
  const ofKeys = republishKeys(app.trust.keys);
  const lines: string[] = [];
  expect(await republish(app.outbox, ofKeys, { storeId: store.storeId, after: first.id }, (line) => lines.push(line))).toBe(1);
  expect(lines).toEqual([`1 sent; to go on from here: --from ${store.storeId}:${second.id}`]);
  expect(await republish(app.outbox, ofKeys, { storeId: store.storeId, after: 0 })).toBe(2);
  const events = await app.db.read<{ public: unknown; internal: { key: { key_id: number; revoked_at: string; word: string } } }>(
    'select public, internal from gateway.outbox where store_id = $1 and id > $2 order by id',
    [store.storeId, last!.id],
  );
  expect(events.map(({ internal }) => internal.key.key_id)).toEqual([second.id, first.id, second.id]);
  for (const { public: said, internal } of events) {
    expect(said).toBeNull();
    expect(app.trust.keys.isAttested(revocationFact(store.storeId, internal.key), internal.key.word)).toBe(true);
  }
  expect(await republish(app.outbox, republishStaff, { storeId: store.storeId, after: 0 })).toBeGreaterThan(0);
});
