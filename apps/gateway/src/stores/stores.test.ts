import { describe, expect, test } from '@jest/globals';
import { countStatements } from '@store/testbed';
import { until } from '@store/testbed/until';
import { openClient } from '@store/testbed/with-client';
import { refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { findKey, keyHashesOfStore } from '../keys/find-key.ts';
import { type Change, type ChangeListener, listenForChanges, notifyAndWait, notifyChange } from './change-notices.ts';
import type { StoreRecord } from './store-record.ts';

shareGateway();

const listeners = `from pg_stat_activity where datname = current_database() and application_name = 'store-gateway-notices'`;

/** A session that was closed stays listed until its server process has ended. */
const noneListens = () => until(async () => (await gateway.app.db.read(`select ${listeners}`)).length === 0);

function listening(more: Partial<ChangeListener> = {}) {
  const heard: Change[] = [];
  const states: string[] = [];
  const listener: ChangeListener = {
    onKeys: (keys) => void heard.push({ keys }),
    onStore: (storeId) => void heard.push({ storeId }),
    onConnected: () => void states.push('connected'),
    onLost: () => void states.push('lost'),
    ...more,
  };
  const errors: string[] = [];
  const running = listenForChanges(gateway.url, listener, { warn: (_fields, message) => void errors.push(message) });
  return { heard, states, errors, stop: () => running.stop() };
}

describe('change notices (D188)', () => {
  test('every listening process is notified of a change of a store and of keys', async () => {
    const processes = [listening(), listening()];
    await until(() => processes.every(({ states }) => states.length === 1));
    await notifyChange(gateway.app.db, { storeId: 7 });
    await notifyChange(gateway.app.db, { keys: ['ab', 'cd'] });
    for (const { heard } of processes) await until(() => heard.length === 2);
    for (const { heard } of processes) expect(heard).toEqual([{ storeId: 7 }, { keys: ['ab', 'cd'] }]);
    for (const { stop } of processes) await stop();
  });

  test('more keys than one NOTIFY can hold are sent in several', async () => {
    const one = listening();
    await until(() => one.states.length === 1);
    const keys = Array.from({ length: 250 }, (_, index) => index.toString(16).padStart(64, '0'));
    await notifyChange(gateway.app.db, { keys });
    const got = () => one.heard.flatMap((change) => ('keys' in change ? change.keys : []));
    await until(() => got().length === 250);
    expect(got()).toEqual(keys);
    await one.stop();
  });

  test('it resolves when every process has applied the change, or says which has not', async () => {
    const held: (() => void)[] = [];
    const slow = listening({ onStore: () => new Promise<void>((resolve) => void held.push(resolve)) });
    const quick = listening();
    await until(() => slow.states.length === 1 && quick.states.length === 1);
    expect(await notifyAndWait(gateway.url, { storeId: 1 }, 100)).toBe(false);
    await until(() => held.length === 1);
    held[0]!();
    const applied = notifyAndWait(gateway.url, { storeId: 2 }, 30_000);
    await until(() => quick.heard.length === 2 && held.length === 2);
    held[1]!();
    expect(await applied).toBe(true);
    await slow.stop();
    await quick.stop();
    await noneListens();
    expect(await notifyAndWait(gateway.url, { storeId: 3 }, 100)).toBe(true);
  });

  test('a lost connection is reported at once and restored; so is a stop', async () => {
    const one = listening();
    await until(() => one.states.length === 1);
    const admin = await openClient(gateway.url);
    await admin.query(`select pg_terminate_backend(pid) ${listeners}`);
    await admin.end();
    await until(() => one.states.length === 3);
    expect(one.states).toEqual(['connected', 'lost', 'connected']);
    await notifyChange(gateway.app.db, { storeId: 9 });
    await until(() => one.heard.length === 1);
    await one.stop();
    expect(one.states.at(-1)).toBe('lost');
  });

  test('a notice whose handler failed is retried until it succeeds, then acknowledged', async () => {
    const taken: string[][] = [];
    let failures = 2;
    const onKeys = async (keys: string[]) => {
      if (failures-- > 0) throw new Error('Redis is away');
      taken.push(keys);
    };
    const one = listening({ onKeys });
    await until(() => one.states.length === 1);
    expect(await notifyAndWait(gateway.url, { keys: ['ab'] }, 30_000)).toBe(true);
    expect([taken, failures]).toEqual([[['ab']], -1]);
    expect(one.errors).toEqual(Array(2).fill('A notice could not be taken and is tried again'));
    failures = Number.POSITIVE_INFINITY;
    await notifyChange(gateway.app.db, { keys: ['cd'] });
    await notifyChange(gateway.app.db, { storeId: 9 });
    await until(() => one.heard.length === 1);
    // A stop does not wait for a handler that keeps failing.
    await one.stop();
  });
});

describe('a key and its store', () => {
  test('are found in one statement', async () => {
    const store = await gateway.store();
    const { hashes } = await gateway.key(store);
    expect(await countStatements(() => findKey(gateway.app, hashes))).toBe(1);
  });

  test("a change of settings makes the key gate forget the store's valid keys alone", async () => {
    const [store, other] = [await gateway.store(), await gateway.store()];
    const { keyGate } = gateway.app;
    const hashes: string[] = [];
    for (const one of [store, other]) {
      const { keyGateHash: hash, hashes: candidates } = await gateway.key(one);
      await keyGate.remember(hash, (await findKey(gateway.app, candidates))!, (await keyGate.admit(hash)).version);
      hashes.push(hash);
    }
    await gateway.verbs.UpdateSettings({ settings: { timezone: 'America/Toronto' } }, staffCall(store.session));
    expect((await keyGate.admit(hashes[0]!)).record).toBeUndefined();
    expect((await keyGate.admit(hashes[1]!)).record).toBeDefined();
    expect(await keyHashesOfStore(gateway.app.db, store.storeId)).toEqual([hashes[0]]);
  });
});

describe('the features of a plan', () => {
  test('a change tells the services the whole store, in the order of the commits (D184)', async () => {
    const store = await gateway.store();
    await gateway.drain();
    await gateway.setPlan(store.storeId, { posSubscription: 'inactive' });
    await gateway.setPlan(store.storeId, { onboarding: 'pending', features: ['loyalty', 'loyalty'] });
    await gateway.setPlan(store.storeId, { onboarding: 'pending' });
    const rows = await gateway.app.db.read<{ aggregate: string; internal: { store: StoreRecord } }>(
      'select aggregate, internal from gateway.outbox order by id',
    );
    expect(rows.map(({ aggregate }) => aggregate)).toEqual([`store:${store.storeId}`, `store:${store.storeId}`]);
    expect(rows[0]!.internal.store).toMatchObject({ posSubscription: 'inactive', onboarding: 'done' });
    expect(rows[1]!.internal.store).toMatchObject({ posSubscription: 'inactive', onboarding: 'pending', features: ['loyalty'] });
  });

  test('an unknown feature is refused by name', async () => {
    const store = await gateway.store();
    const refused = { status: 422, message: expect.stringContaining('Feature teleport is not known') };
    expect(await refusal(gateway.setPlan(store.storeId, { features: ['loyalty', 'teleport'] }))).toMatchObject(refused);
  });

  test('a failed creation leaves nothing: a taken address creates no store', async () => {
    const store = await gateway.store();
    const count = async () => (await gateway.app.db.read<{ n: number }>('select count(*)::int as n from gateway.stores'))[0]!.n;
    const before = await count();
    await expect(gateway.store({ adminEmail: store.adminEmail })).rejects.toThrow('Email has already been taken');
    expect(await count()).toBe(before);
  });
});
