import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { texts } from '@store/problem';
import { bindVerbs } from '@store/rpc';
import { closedKeyGate, messageOf, refusal, staffCall, startAt } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import type { Gateway, WebhooksRpcs } from '../gateway.ts';
import type { KeyGate } from '../key-gate/key-gate.ts';
import { verbs } from '../rpc.ts';
import { findKey } from './find-key.ts';
import { keyHashes } from './key-text.ts';

shareGateway();

const revoke = (id: number | string) => gateway.verbs.RevokeApiKey({ id: String(id) }, staffCall(store.session));
const revokeWith = (parts: Partial<Gateway>, id: number) =>
  bindVerbs(verbs, { ...gateway.app, ...parts }).RevokeApiKey({ id: String(id) }, staffCall(store.session));
const isRevoked = async (id: number) =>
  (await gateway.app.db.read('select from gateway.api_keys where id = $1 and revoked_at is not null', [id])).length === 1;
/** A newer pepper, and the one under which the keys of the tests are stored. */
const rotated = () => [{ id: 2, secret: Buffer.alloc(32, 7) }, gateway.app.config.peppers[0]!];

describe('DELETE /api_keys/:id', () => {
  test('a revoked key is refused by key gate and database at once (Authentication 6)', async () => {
    const { id, hashes, keyGateHash } = await gateway.key(store);
    const { keyGate } = gateway.app;
    const record = (await findKey(gateway.app, hashes))!;
    await keyGate.remember(keyGateHash, record, (await keyGate.admit(keyGateHash)).version);
    expect(await keyGate.admit(keyGateHash)).toMatchObject({ revoked: false, record: { keyId: id } });
    const answer = messageOf(await revoke(id)).api_key!;
    expect(answer).toMatchObject({ id, revoked_at: '2026-11-21T09:30:00.000Z' });
    expect(await keyGate.admit(keyGateHash)).toMatchObject({ revoked: true, record: undefined });
    expect((await findKey(gateway.app, hashes))!.revoked).toBe(true);
  });

  test('revoking twice answers the key as it was first revoked, with one event', async () => {
    const { id } = await gateway.key(store);
    await revoke(id);
    gateway.clock.advance(60_000);
    expect(messageOf(await revoke(id)).api_key!.revoked_at).toBe('2026-11-21T09:30:00.000Z');
    const facts = await gateway.app.db.read("select id from gateway.outbox where name = 'key.revoked' and aggregate = $1", [`key:${id}`]);
    expect(facts).toHaveLength(1);
  });

  test('P19: the tombstone is written before the commit, the record dropped after it', async () => {
    const { id } = await gateway.key(store);
    const steps: string[] = [];
    const committed = async () => ((await isRevoked(id)) ? 'after the commit' : 'before the commit');
    const keyGate: KeyGate = {
      ...closedKeyGate,
      revoke: async () => void steps.push(`revoke ${await committed()}`),
      forget: async () => void steps.push(`forget ${await committed()}`),
    };
    await revokeWith({ keyGate }, id);
    expect(steps).toEqual(['revoke before the commit', 'forget after the commit']);
  });

  test('when the database fails, the tombstone is removed and the key stays valid', async () => {
    const { id, hashes, keyGateHash } = await gateway.key(store);
    const db = { ...gateway.app.db, unit: () => Promise.reject(new Error('connection lost')) };
    await expect(revokeWith({ db }, id)).rejects.toThrow('connection lost');
    expect((await gateway.app.keyGate.admit(keyGateHash)).revoked).toBe(false);
    expect((await findKey(gateway.app, hashes))!.revoked).toBe(false);
  });

  test('without the key gate a revocation is stored and a 500; its event revokes there', async () => {
    const { id, hashes, keyGateHash } = await gateway.key(store);
    const lost = () => Promise.reject(new Error('Redis is down'));
    const forgotten: string[] = [];
    const keyGate: KeyGate = { ...closedKeyGate, revoke: lost, unrevoke: lost, forget: async (hashes) => void forgotten.push(...hashes) };
    expect(await refusal(revokeWith({ keyGate }, id))).toMatchObject({ status: 500, message: texts.unexpected });
    expect((await findKey(gateway.app, hashes))!.revoked).toBe(true);
    expect(forgotten).toEqual([keyGateHash]);
    expect((await gateway.app.keyGate.admit(keyGateHash)).revoked).toBe(false);
    await gateway.drain();
    expect((await gateway.app.keyGate.admit(keyGateHash)).revoked).toBe(true);
  });
});

describe('the pepper ring', () => {
  test('a key under an older pepper is found and moved; a revocation covers both hashes', async () => {
    const { id, key } = await gateway.key(store);
    const moved = keyHashes(rotated(), key);
    expect((await findKey(gateway.app, moved))!.keyId).toBe(id);
    const [row] = await gateway.app.db.read<{ hash: Buffer; pepper_id: number }>(
      'select hash, pepper_id from gateway.api_keys where id = $1',
      [id],
    );
    expect(row!.pepper_id).toBe(2);
    expect(row!.hash.equals(moved[0]!.hash)).toBe(true);
    expect((await findKey(gateway.app, [moved[0]!]))!.keyId).toBe(id);
    await revoke(id);
    for (const { hash } of moved) expect((await gateway.app.keyGate.admit(hash.toString('hex'))).revoked).toBe(true);
  });

  test('a key that is moved during its revocation is revoked under both hashes', async () => {
    const { id, key } = await gateway.key(store);
    const peppers = rotated();
    const revoked: string[] = [];
    const keyGate: KeyGate = {
      ...closedKeyGate,
      forget: async () => undefined,
      revoke: async (hash) => {
        if (revoked.length === 0) expect((await findKey(gateway.app, keyHashes(peppers, key)))!.revoked).toBe(false);
        revoked.push(hash);
      },
    };
    await revokeWith({ keyGate }, id);
    expect(new Set(revoked)).toEqual(new Set(keyHashes(peppers, key).map(({ hash }) => hash.toString('hex'))));
    expect(revoked).toHaveLength(2);
  });

  test('a key revoked between being found and being moved is not admitted', async () => {
    const { id, key } = await gateway.key(store);
    const { db } = gateway.app;
    const read: typeof db.read = async (query) => {
      if (typeof query !== 'string' && query.compile().sql.startsWith('update')) await revoke(id);
      return db.read(query);
    };
    expect((await findKey({ db: { ...db, read } }, keyHashes(rotated(), key)))!.revoked).toBe(true);
  });

  test('a key revoked before its hash was moved is not restored by the move', async () => {
    const { id, key } = await gateway.key(store);
    await gateway.app.db.unit(store.storeId, (em) => sql(em, 'update gateway.api_keys set revoked_at = now() where id = $1', [id]));
    expect((await findKey(gateway.app, keyHashes(rotated(), key)))!.revoked).toBe(true);
  });

  test('an unknown key is not found', async () => {
    expect(await findKey(gateway.app, keyHashes(gateway.app.config.peppers, 'sk_store_unknown'))).toBeUndefined();
  });
});

describe('webhooks', () => {
  const revokeTelling = (id: number, RevokeKey: WebhooksRpcs['RevokeKey']) =>
    revokeWith({ webhooks: { ...gateway.app.webhooks, RevokeKey } }, id);

  test('D189: a revocation is answered once webhooks has confirmed it after the commit', async () => {
    const { id } = await gateway.key(store);
    const received: object[] = [];
    await revokeTelling(id, async (request, { caller }) => {
      received.push({ ...request, store: caller.storeId, committed: await isRevoked(id) });
      return {};
    });
    expect(received).toEqual([{ key_id: id, revoked_at_ms: Date.parse(startAt), store: store.storeId, committed: true }]);
  });

  test('without a confirmation from webhooks a revocation is no success; repeating it is', async () => {
    const { id } = await gateway.key(store);
    await expect(revokeTelling(id, () => Promise.reject(new Error('webhooks is down')))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await isRevoked(id)).toBe(true);
    let received = 0;
    await revokeTelling(id, async () => {
      received += 1;
      return {};
    });
    expect(received).toBe(1);
  });
});
