import { beforeEach, describe, expect, test } from '@jest/globals';
import { countStatements } from '@store/testbed';
import { messageOf, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { KeyUsage } from './key-usage.ts';

let id: number;
const key = (keyId = id) => ({ keyId, store });

shareGateway();
beforeEach(async () => {
  ({ id } = await gateway.key(store, { scopes: ['products:read', 'sales:read'] }));
});

const view = async () => {
  const { api_keys } = messageOf(await gateway.verbs.ListApiKeys({}, staffCall(store.session)));
  return api_keys!.find((one) => one.id === id)!;
};

describe('key usage (D179)', () => {
  test('last use, scopes used, requests of hour and day are written in one statement', async () => {
    const { usage } = gateway.app;
    const now = () => gateway.clock.now();
    usage.record(key(), 'products:read', now());
    gateway.clock.advance(90 * 60_000);
    for (let request = 0; request < 100; request++) usage.record(key(), 'products:read', now());
    usage.record(key(), '', now());
    const count = await countStatements(() => usage.flush());
    expect(await view()).toMatchObject({ last_used_at: '2026-11-21T11:00:00.000Z', scopes_used: ['products:read'] });
    expect(await view()).toMatchObject({ requests_last_hour: 101, requests_last_day: 102 });
    // Without the transaction's own begin and commit.
    expect(count).toBeLessThanOrEqual(3);
  });

  test("the key's own limit is in force for five minutes after its last use, else 60", async () => {
    const { usage } = gateway.app;
    ({ id } = await gateway.key(store, { rate_limit: '500' }));
    expect(await view()).toMatchObject({ rate_limit: 500, effective_limit: 60 });
    usage.record(key(), '', gateway.clock.now());
    await usage.flush();
    gateway.clock.advance(5 * 60_000);
    expect(await view()).toMatchObject({ rate_limit: 500, effective_limit: 500 });
    gateway.clock.advance(1);
    expect(await view()).toMatchObject({ rate_limit: 500, effective_limit: 60 });
  });

  test('counts of several processes add up; an older use replaces no newer last use', async () => {
    const [one, two] = [new KeyUsage(gateway.app.db), new KeyUsage(gateway.app.db)];
    one.record(key(), 'products:read', new Date('2026-11-21T09:30:05.000Z'));
    two.record(key(), 'sales:read', new Date('2026-11-21T09:30:03.000Z'));
    await Promise.all([one.flush(), two.flush()]);
    await two.flush();
    const used = { last_used_at: '2026-11-21T09:30:05.000Z', scopes_used: ['products:read', 'sales:read'] };
    expect(await view()).toMatchObject({ ...used, requests_last_hour: 2 });
  });

  test('D259: refused requests are counted by key and minute, or by hash, not as use', async () => {
    const { id: other, keyGateHash } = await gateway.key(store, { name: 'other' });
    const usage = new KeyUsage(gateway.app.db);
    const now = gateway.clock.now();
    for (let request = 0; request < 300; request++) usage.refused(key(), 'rate_limited', now);
    for (const one of [key(other), keyGateHash, 'ab'.repeat(32)]) usage.refused(one, 'unauthorized', now);
    await usage.flush();
    const rows = await gateway.app.db.read(
      'select key_id, requests, rate_limited, unauthorized from gateway.key_usage where key_id = any ($1) order by key_id',
      [[id, other]],
    );
    expect(rows).toEqual([
      { key_id: id, requests: 0, rate_limited: 300, unauthorized: 0 },
      { key_id: other, requests: 0, rate_limited: 0, unauthorized: 2 },
    ]);
    expect(await view()).toMatchObject({ last_used_at: undefined, requests_last_hour: 0 });
  });

  test('a failed write is retried with the next one, and counted once', async () => {
    const db = { ...gateway.app.db, unit: (() => Promise.reject(new Error('down'))) as typeof gateway.app.db.unit };
    const usage = new KeyUsage(db);
    usage.record(key(), 'products:read', gateway.clock.now());
    await expect(usage.flush()).rejects.toThrow('down');
    usage.record(key(), 'sales:read', gateway.clock.now());
    db.unit = gateway.app.db.unit;
    await usage.flush();
    expect(await view()).toMatchObject({ requests_last_hour: 2, scopes_used: ['products:read', 'sales:read'] });
  });

  test('counters older than a day are dropped', async () => {
    const { usage } = gateway.app;
    usage.record(key(), '', gateway.clock.now());
    await usage.flush();
    gateway.clock.advance(26 * 3_600_000);
    usage.record(key(), '', gateway.clock.now());
    await usage.flush();
    const rows = await gateway.app.db.read('select 1 from gateway.key_usage where key_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(await view()).toMatchObject({ requests_last_day: 1 });
  });
});
