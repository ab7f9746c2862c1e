import { describe, expect, test } from '@jest/globals';
import { messageType, renderView, scopes, serviceOf } from '@store/contract';
import { asReply, messageOf, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { createApiKey } from './create-api-key.ts';
import { findKey } from './find-key.ts';
import { keyPattern } from './key-text.ts';

shareGateway();

const list = async (by = store) => messageOf(await gateway.verbs.ListApiKeys({}, staffCall(by.session))).api_keys!;

describe('POST /api_keys', () => {
  test('the answer has the full key once and the item of D179, and forbids caching', async () => {
    const answer = asReply(
      await gateway.verbs.CreateApiKey({ api_key: { name: 'Web shop', scopes: ['products:read'] } }, staffCall(store.session)),
    );
    expect(answer.options.headers).toEqual({ 'Cache-Control': 'no-store' });
    expect(answer.message!.key).toMatch(keyPattern);
    const type = messageType('store.gateway.v1.ApiKey');
    const json = JSON.parse(renderView(type, answer.message!.api_key!, () => true));
    const made = { created_by: { id: store.adminId, name: 'Ada Admin' }, created_at: '2026-11-21T09:30:00.000Z' };
    const asSent = { name: 'Web shop', scopes: ['products:read'], rate_limit: 60, effective_limit: 60, expires_at: null, test_mode: false };
    const unused = { scopes_used: [], last_used_at: null, requests_last_hour: 0, requests_last_day: 0, revoked_at: null };
    const last4 = answer.message!.key!.slice(-4);
    expect(json).toEqual({ id: expect.any(Number), prefix: 'sk_store_', last4, ...asSent, ...made, ...unused });
  });

  test('the key is stored as HMAC-SHA256(pepper, key); its text is nowhere', async () => {
    const { key, keyGateHash } = await gateway.key(store);
    const rows = await gateway.app.db.read<{ text: string }>('select k::text from gateway.api_keys k');
    const outbox = await gateway.app.db.read<{ text: string }>('select o::text from gateway.outbox o');
    expect(JSON.stringify([rows, outbox])).not.toContain(key.slice(10, 40));
    expect(JSON.stringify(outbox)).not.toContain(keyGateHash);
  });

  test('a NOTIFY that fails after the commit does not lose the answer with the key', async () => {
    const { db } = gateway.app;
    const read: typeof db.read = async (query, ...rest) => {
      if (String(query).includes('pg_notify')) throw new Error('Connection terminated');
      return db.read(query, ...rest);
    };
    const rpc = `/${serviceOf('gateway')}/CreateApiKey`;
    const request = { api_key: { name: 'Told to nobody', scopes: ['products:read'] } };
    const { api_key, key } = messageOf(
      await createApiKey({ ...gateway.app, db: { ...db, read } }, request, { ...staffCall(store.session), rpc }),
    );
    expect(key).toMatch(keyPattern);
    expect((await list()).some(({ id }) => id === api_key!.id)).toBe(true);
  });

  test('every scope of the specification can be granted', async () => {
    const { view } = await gateway.key(store, { scopes: [...scopes] });
    expect(view.scopes).toEqual([...scopes]);
    const written = ['products', 'customers', 'inventory', 'storefront'];
    const read = [...written, 'sales', 'purchasing', 'costs', 'loyalty', 'gift_cards', 'store_credits'];
    const named = [...read.map((name) => `${name}:read`), ...written.map((name) => `${name}:write`), 'webhooks:manage'];
    expect(scopes.toSorted()).toEqual(named.toSorted());
  });

  test('all fields are stored as sent; a repeated scope counts once', async () => {
    const sent = { name: 'Till', rate_limit: '1000', expires_at: '2026-11-22T00:00', test_mode: 'true' };
    const { view, hashes } = await gateway.key(store, { ...sent, scopes: ['sales:read', 'sales:read'] });
    expect(view).toMatchObject({ scopes: ['sales:read'], rate_limit: 1000, expires_at: '2026-11-22T00:00:00.000Z', test_mode: true });
    const stored = { name: 'Till', rateLimit: 1000, testMode: true, revoked: false, expiresAtMs: Date.parse('2026-11-22T00:00:00.000Z') };
    const by = { createdBy: { id: store.adminId, name: 'Ada Admin' } };
    const of = { storeId: store.storeId, timeZone: 'Europe/London', currency: '$', posSubscription: 'active', onboarding: 'done' };
    expect(await findKey(gateway.app, hashes)).toMatchObject({ ...stored, ...by, store: of });
  });

  test('an empty text leaves a field at its default', async () => {
    const { view } = await gateway.key(store, { rate_limit: '', expires_at: '', test_mode: '' });
    expect(view).toMatchObject({ rate_limit: 60, expires_at: undefined, test_mode: false });
  });

  test('while the Developer API is off it is a 403 with code feature_not_enabled (D177)', async () => {
    const off = await gateway.store({ features: ['customers'] });
    const request = { api_key: { name: 'x', scopes: ['products:read'] } };
    const refused = { status: 403, message: 'Developer API is not included in your plan', extra: { code: 'feature_not_enabled' } };
    expect(await refusal(gateway.verbs.CreateApiKey(request, staffCall(off.session)))).toMatchObject(refused);
  });
});

describe('GET /api_keys', () => {
  test('lists the keys of this store only, newest first, revoked ones included', async () => {
    const other = await gateway.store();
    const [first, second] = [await gateway.key(other), await gateway.key(other)];
    await gateway.verbs.RevokeApiKey({ id: String(first.id) }, staffCall(other.session));
    const keys = await list(other);
    expect(keys.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(keys[1]!.revoked_at).toBe('2026-11-21T09:30:00.000Z');
    expect((await list()).map(({ id }) => id)).not.toContain(first.id);
  });
});

describe('GET /key (D178)', () => {
  test('a key sees itself with the limit in force', async () => {
    const { id, key } = await gateway.key(store, { rate_limit: '500' });
    const call = staffCall(store.session);
    call.caller.actor = { ...call.caller.actor, type: 'key', keyId: id };
    const cold = messageOf(await gateway.verbs.GetKey({}, { ...call, effectiveLimit: 60 } as typeof call)).key!;
    expect(cold).toMatchObject({ name: 'Web shop', scopes: ['products:read'], rate_limit: 500, effective_limit: 60, test_mode: false });
    const warm = messageOf(await gateway.verbs.GetKey({}, { ...call, effectiveLimit: 500 } as typeof call)).key!;
    expect(warm.effective_limit).toBe(500);
    expect(JSON.stringify(warm)).not.toContain(key);
  });
});
