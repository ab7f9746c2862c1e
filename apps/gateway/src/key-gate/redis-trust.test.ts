/** Data from Redis is trusted only if a gateway wrote it, and never if it is from before a loss of data. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bindVerbs } from '@store/rpc';
import { capturingLog, describeWithRedis, SetClock } from '@store/testbed';
import { throwAwayCa } from '@store/testbed/certificates';
import { until } from '@store/testbed/until';
import { createClient } from 'redis';
import { gatewayUnderTest, type Store, staffCall } from '../../test/gateway-under-test.ts';
import type { Gateway } from '../gateway.ts';
import { keyCallerOf } from '../http/authenticate-key.ts';
import { UnauthorizedFlood } from '../http/unauthorized-flood.ts';
import { verbs } from '../rpc.ts';
import { CacheValidity } from '../stores/cache-validity.ts';
import { openClusterKeyGate } from './cluster-key-gate.ts';
import { recordKeptMs } from './key-gate.ts';
import { everyVerb, freePort, keyRecord, localGate, newHash, type RunningRedis, redisOptions, startRedis } from './key-gates.testing.ts';
import { openRedisKeyGate, type RedisGate, type RedisGateOptions } from './redis.ts';
import { aclRules, clusterCommands, commands } from './redis-acl.ts';
import { keysOf } from './redis-scripts.ts';

const timeoutMs = 2_000;

describeWithRedis('records in Redis', (url) => {
  const clock = new SetClock('2026-11-20T12:00:10Z');
  let keyGate: RedisGate;
  let intruder: Awaited<ReturnType<typeof connected>>;
  const connected = (options: Parameters<typeof createClient>[0]) => createClient(options).connect();

  beforeEach(async () => {
    keyGate = await openRedisKeyGate(redisOptions({ url, clock, timeoutMs }));
    intruder = await connected({ url });
  });
  afterEach(async () => {
    await keyGate.stop();
    intruder.destroy();
  });

  async function remembered(): Promise<{ hash: string; text: string }> {
    const hash = newHash();
    await keyGate.remember(hash, keyRecord(60), (await keyGate.admit(hash)).version);
    expect((await keyGate.admit(hash)).record).toEqual(keyRecord(60));
    return { hash, text: (await intruder.get(keysOf(hash)[1])) as string };
  }

  test('a forged record does not verify: a record that no gateway wrote counts as absent', async () => {
    const { hash, text } = await remembered();
    const forged = [
      JSON.stringify(keyRecord(1_000)),
      text.replace('products:read', 'costs:read'),
      text.replace(/^\d+/, (writtenAt) => String(Number(writtenAt) + 1)),
      text.replace(/^(\d+)\.[\w-]{43}/, `$1.${'A'.repeat(43)}`),
      `${text} `,
      '',
      'no record',
    ];
    for (const row of forged) {
      await intruder.set(keysOf(hash)[1], row);
      expect(await keyGate.admit(hash)).toMatchObject({ record: undefined, revoked: false });
    }
    await intruder.set(keysOf(hash)[1], text);
    expect((await keyGate.admit(hash)).record).toEqual(keyRecord(60));
  });

  test("one key's record is not accepted for another", async () => {
    const { text } = await remembered();
    const stolen = newHash();
    await intruder.set(keysOf(stolen)[1], text);
    expect((await keyGate.admit(stolen)).record).toBeUndefined();
  });

  test('a record that was copied and replayed later is accepted for 65 seconds at most', async () => {
    const { hash, text } = await remembered();
    await keyGate.revoke(hash);
    await intruder.del(keysOf(hash)[0]);
    await intruder.set(keysOf(hash)[1], text);
    clock.advance(65_001);
    expect((await keyGate.admit(hash)).record).toBeUndefined();
  });

  test('a gateway with another pepper accepts none of it', async () => {
    const { hash } = await remembered();
    const other = await openRedisKeyGate(redisOptions({ url, clock, timeoutMs, pepper: Buffer.alloc(32, 2) }));
    expect((await other.admit(hash)).record).toBeUndefined();
    await other.stop();
  });

  test('forged records are logged once a minute', async () => {
    const { log, lines } = capturingLog();
    const watching = await openRedisKeyGate(redisOptions({ url, clock, timeoutMs, log }));
    const hash = newHash();
    await intruder.set(keysOf(hash)[1], 'no record');
    for (let asked = 0; asked < 3; asked += 1) await watching.admit(hash);
    expect(lines.map((line) => line.msg)).toEqual(['A record in Redis is not signed by a gateway and is ignored']);
    await watching.stop();
  });
});

describeWithRedis('a Redis over TLS, with a user and a password', () => {
  let dir: string;
  let server: RunningRedis | undefined;
  let cluster: RunningRedis | undefined;
  let address: string;
  let clusterAddress: string;
  let ca: string;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'redis-tls-'));
    const authority = throwAwayCa();
    ca = authority.caPem;
    const { key, cert } = authority.issue({ names: ['127.0.0.1'] });
    const file = async (name: string, text: string) => {
      await writeFile(path.join(dir, name), text, { mode: 0o600 });
      return path.join(dir, name);
    };
    const users = (rights: readonly string[], operator = '') =>
      `user default off\n${operator}user store on >let:me@in ${aclRules(rights).join(' ')}\n`;
    const start = async (port: number, acl: string, more: object = {}) => {
      const settings = {
        'tls-port': port,
        'tls-cert-file': await file('cert.pem', cert),
        'tls-key-file': await file('key.pem', key),
        'tls-auth-clients': 'no',
        aclfile: await file(`${port}.acl`, acl),
        ...more,
      };
      return startRedis(0, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]));
    };
    const [port, clusterPort] = [await freePort(), await freePort()];
    server = await start(port, users(commands));
    address = `127.0.0.1:${port}`;
    cluster = await start(clusterPort, users([...commands, ...clusterCommands], 'user operator on >operator ~* +@all\n'), {
      'cluster-enabled': 'yes',
      'tls-cluster': 'yes',
      'tls-ca-cert-file': await file('ca.pem', ca),
      'cluster-port': await freePort(),
      'cluster-announce-ip': '127.0.0.1',
      dir,
    });
    clusterAddress = `127.0.0.1:${clusterPort}`;
    const socket = { host: '127.0.0.1', port: clusterPort, tls: true as const, ca };
    const operator = await createClient({ username: 'operator', password: 'operator', socket }).connect();
    await operator.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    await until(async () => (await operator.clusterInfo()).includes('cluster_state:ok'));
    operator.destroy();
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const gateAt = (options: Pick<RedisGateOptions, 'url' | 'ca'>) => openRedisKeyGate(redisOptions({ timeoutMs, ...options }));

  test('rediss://user:password@… with REDIS_CA_FILE serves every verb of the key gate', async () => {
    const keyGate = await gateAt({ url: `rediss://store:${encodeURIComponent('let:me@in')}@${address}`, ca });
    await everyVerb(keyGate);
    await keyGate.stop();
  });

  test('rediss+cluster://user:password@… is the same for each server of a cluster', async () => {
    const url = `rediss+cluster://store:${encodeURIComponent('let:me@in')}@127.0.0.1:1,${clusterAddress}`;
    const keyGate = await openClusterKeyGate({ ...redisOptions({ timeoutMs, url, ca }), local: localGate() });
    await everyVerb(keyGate);
    expect(keyGate.counts).toEqual({ failures: 0, fallbacks: 0, opened: 0 });
    await keyGate.stop();
  });

  test.each([
    ['a wrong password', 'rediss://store:wrong@', true],
    ['no user', 'rediss://', true],
    ['a certificate of an authority that is not known', 'rediss://store:let%3Ame%40in@', false],
    ['a connection without TLS', 'redis://store:let%3Ame%40in@', undefined],
  ])('%s is refused', async (_what, start, isKnown) => {
    const keyGate = await gateAt({ url: start + address, ...(isKnown && { ca }) });
    await expect(keyGate.admit(newHash())).rejects.toThrow();
    await keyGate.stop();
  });
});

describe('a Redis that lost its data', () => {
  let gateway: Awaited<ReturnType<typeof gatewayUnderTest>>;
  let store: Store;
  beforeAll(async () => {
    gateway = await gatewayUnderTest();
    store = await gateway.store();
  });
  afterAll(() => gateway.close());

  describeWithRedis('of its own', () => {
    let dir: string;
    let port: number;
    let redis: RunningRedis;
    let processes: Awaited<ReturnType<typeof gatewayProcess>>[];
    let elapsedMs: number;

    const restart = async () => {
      await redis.stop();
      redis = await startRedis(port, '--dir', dir);
    };

    /** A gateway as main.ts creates it, with a clock that a test sets; it has listened for longer than records last. */
    async function gatewayProcess() {
      const cacheValidity = new CacheValidity(true, () => elapsedMs);
      const options = { url: redis.url, clock: gateway.clock, pepper: gateway.app.config.peppers[0]!.secret, timeoutMs };
      const keyGate = await openRedisKeyGate(redisOptions({ ...options, onMemoryLost: () => cacheValidity.memoryLost() }));
      await keyGate.admit(newHash());
      cacheValidity.connected();
      let read = 0;
      const db: Gateway['db'] = {
        ...gateway.app.db,
        read: (query, ...rest) => {
          if (typeof query !== 'string' && query.compile().sql.includes('"k"."hash" in')) read += 1;
          return gateway.app.db.read(query, ...rest);
        },
      };
      const app: Gateway = { ...gateway.app, db, keyGate, cacheValidity };
      const flood = new UnauthorizedFlood(gateway.clock, 1_000);
      return { app, keyGate, reads: () => read, ask: (text: string) => keyCallerOf({ app, flood }, { text, ip: '192.0.2.1' }) };
    }

    async function snapshot(): Promise<void> {
      const direct = await createClient({ url: redis.url }).connect();
      await direct.sendCommand(['SAVE']);
      direct.destroy();
    }

    /** Redis answers again: every process has called it once. */
    async function restored(): Promise<void> {
      await restart();
      for (const { keyGate } of processes) await until(() => answers(keyGate.admit(newHash())));
    }

    const refused = { kind: 'unauthenticated' };

    beforeEach(async () => {
      dir = await mkdtemp(path.join(tmpdir(), 'redis-lost-'));
      port = await freePort();
      redis = await startRedis(port, '--dir', dir);
      elapsedMs = 0;
      processes = [await gatewayProcess(), await gatewayProcess()];
      elapsedMs += recordKeptMs;
    });
    afterEach(async () => {
      for (const { keyGate } of processes) await keyGate.stop();
      await redis.stop();
      await rm(dir, { recursive: true, force: true });
    });

    test('a key revoked after the snapshot that Redis is restored to stays refused', async () => {
      const { id, key, keyGateHash } = await gateway.key(store);
      const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]];
      for (const each of [one, one, other]) await each.ask(key);
      expect([one.reads(), other.reads()]).toEqual([1, 0]);
      await snapshot();
      await bindVerbs(verbs, one.app).RevokeApiKey({ id: String(id) }, staffCall(store.session));
      await expect(other.ask(key)).rejects.toMatchObject(refused);
      await restored();
      const after = await createClient({ url: redis.url }).connect();
      const [tombstone, record] = keysOf(keyGateHash);
      expect([await after.exists(record), await after.exists(tombstone)]).toEqual([1, 0]);
      await Promise.all([one, other, one, other].map((each) => expect(each.ask(key)).rejects.toMatchObject(refused)));
      expect(await after.exists(tombstone)).toBe(1);
      after.destroy();
    });

    test('each key is read from PostgreSQL once by each gateway, then remembered again', async () => {
      const { key } = await gateway.key(store);
      const [one] = processes as [(typeof processes)[0]];
      for (let asked = 0; asked < 3; asked += 1) await one.ask(key);
      await snapshot();
      await restored();
      const before = one.reads();
      // The first drops the old record, the second stores the new one.
      for (let asked = 0; asked < 6; asked += 1) await one.ask(key);
      expect(one.reads() - before).toBe(2);
    });

    test('a slow read from before the loss stores nothing, whatever lease is restored', async () => {
      const [{ keyGate }] = processes as [(typeof processes)[0]];
      const hash = newHash();
      const { version } = await keyGate.admit(hash);
      await snapshot();
      await keyGate.revoke(hash);
      await restart();
      const records: unknown[] = [];
      await until(() => answers(keyGate.remember(hash, keyRecord(60), version).then(({ record }) => records.push(record))));
      expect(records).toEqual([undefined]);
      expect((await keyGate.remember(hash, keyRecord(60), version)).record).toBeUndefined();
      expect((await keyGate.admit(hash)).record).toBeUndefined();
    });
  });
});

const answers = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );
