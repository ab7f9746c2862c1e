import { expect, test } from '@jest/globals';
import { bindVerbs } from '@store/rpc';
import { staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import type { WebhooksRpcs } from '../gateway.ts';
import { verbs } from '../rpc.ts';

shareGateway();

const revoke = (id: number, webhooks: Pick<WebhooksRpcs, 'RevokeKey'>) =>
  bindVerbs(verbs, { ...gateway.app, webhooks: { ...gateway.app.webhooks, ...webhooks } }).RevokeApiKey(
    { id: String(id) },
    staffCall(store.session),
  );
const isRevoked = async (id: number) =>
  (await gateway.app.db.read<{ done: boolean }>('select revoked_at is not null as done from gateway.api_keys where id = $1', [id]))[0]!
    .done;

test('D189: a revocation is answered after webhooks has confirmed it, which is asked after the commit', async () => {
  const { id } = await gateway.key(store);
  const received: object[] = [];
  await revoke(id, {
    RevokeKey: async (request, { caller }) => {
      received.push({ ...request, store: caller.storeId, committed: await isRevoked(id) });
      return {};
    },
  });
  expect(received).toEqual([{ key_id: id, revoked_at_ms: Date.parse('2026-11-21T09:30:00.000Z'), store: store.storeId, committed: true }]);
});

test('without a confirmation from webhooks a revocation is not a success, and repeating it is', async () => {
  const { id } = await gateway.key(store);
  const deaf: Pick<WebhooksRpcs, 'RevokeKey'> = { RevokeKey: () => Promise.reject(new Error('webhooks is down')) };
  await expect(revoke(id, deaf)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await isRevoked(id)).toBe(true);
  let received = 0;
  await revoke(id, {
    RevokeKey: async () => {
      received += 1;
      return {};
    },
  });
  expect(received).toBe(1);
});
