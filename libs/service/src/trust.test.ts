import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@store/db';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import { client, connect, serve, systemCaller, type Trust } from '@store/rpc';
import { logNothing } from '@store/testbed';
import { type ThrowAwayCa, throwAwayCa } from '@store/testbed/certificates';
import { serviceSettings, setting, text } from './config.ts';
import { isLoopback, openTrust, readServiceConfig } from './trust.ts';

const settings = {
  ...serviceSettings,
  SHOP_LISTEN: setting(text, '127.0.0.1:0', 'host:port that shop listens on'),
  TILL_ADDRESS: setting(text, '127.0.0.1:1', 'host:port of till'),
};
const DATABASE_URL = 'postgres://store@127.0.0.1/store';
const SERVICE_KEYS = `1:${randomBytes(32).toString('base64')}`;
const read = (env: NodeJS.ProcessEnv) => readServiceConfig(settings, { DATABASE_URL, ...env });

describe('a service that others reach', () => {
  test.each(['0.0.0.0:50051', '[::]:50051', '10.0.0.7:50051', 'catalog:50051', '127.0.0.1.example.org:50051'])(
    'at %s does not start without SERVICE_KEYS, and says so in one sentence',
    (address) => {
      expect(() => read({ SHOP_LISTEN: address })).toThrow(
        `SHOP_LISTEN is ${address}, beyond this machine: SERVICE_KEYS must be set, the same for every service`,
      );
      expect(read({ SHOP_LISTEN: address, SERVICE_KEYS }).SHOP_LISTEN).toBe(address);
    },
  );

  test('or that calls another one beyond this machine does not either', () => {
    expect(() => read({ TILL_ADDRESS: 'till:50053' })).toThrow('TILL_ADDRESS is till:50053');
  });

  test.each(['127.0.0.1:0', '127.8.9.1:1', 'localhost:1', '[::1]:1', '::1:1'])('at %s is on this machine', (address) => {
    expect(isLoopback(address)).toBe(true);
    expect(read({ SHOP_LISTEN: address }).SERVICE_KEYS).toBeUndefined();
  });

  test.each(['x', '1:AAAA', `${SERVICE_KEYS},${SERVICE_KEYS}`])('does not start with the bad ring "%s"', (ring) => {
    expect(() => read({ SERVICE_KEYS: ring })).toThrow('SERVICE_KEYS');
  });
});

/** Whether a service of `server` answers a client of `asking`. */
async function answers(server: Trust, asking: Trust): Promise<boolean> {
  const verbs = { GetProduct: async () => ({ product: { id: 7 } }) };
  const running = await serve({ 'store.catalog.v1.Catalog': verbs }, { listen: '127.0.0.1:0', trust: server, log: logNothing });
  const channel = connect(running.address, asking);
  const call = { caller: systemCaller(1), deadlineMs: Date.now() + 60_000 };
  try {
    return (await client<CatalogDefinition>(channel, 'store.catalog.v1.Catalog').GetProduct({ id: '7' }, call)).product?.id === '7';
  } catch (error) {
    expect(error).toMatchObject({ kind: 'unavailable' });
    return false;
  } finally {
    channel.close();
    await running.stop(1_000);
  }
}

const trustBy = (env: NodeJS.ProcessEnv) => openTrust(read(env), systemClock);

test('services of one process accept each other without SERVICE_KEYS, and no process with another ring', async () => {
  expect(await answers(trustBy({}), trustBy({}))).toBe(true);
  expect(await answers(trustBy({}), trustBy({ SERVICE_KEYS }))).toBe(false);
  expect(await answers(trustBy({ SERVICE_KEYS }), trustBy({ SERVICE_KEYS }))).toBe(true);
});

describe('TLS between services', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'store-tls-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const ours = throwAwayCa();
  let files = 0;
  const file = (pem: string) => {
    const name = path.join(dir, `${files++}.pem`);
    writeFileSync(name, pem);
    return name;
  };
  /** A process with a certificate of one authority that trusts another authority. */
  const tls = (issuer: ThrowAwayCa, believed: ThrowAwayCa = issuer) => {
    const { cert, key } = issuer.issue({ names: ['127.0.0.1'] });
    return { SERVICE_KEYS, GRPC_TLS_CERT: file(cert), GRPC_TLS_KEY: file(key), GRPC_TLS_CA: file(believed.caPem) };
  };

  test('works where both present a certificate of the authority', async () => {
    expect(await answers(trustBy(tls(ours)), trustBy(tls(ours)))).toBe(true);
  });

  test('refuses a plain client, and a client refuses a plain service', async () => {
    expect(await answers(trustBy(tls(ours)), trustBy({ SERVICE_KEYS }))).toBe(false);
    expect(await answers(trustBy({ SERVICE_KEYS }), trustBy(tls(ours)))).toBe(false);
  });

  test('is mutual: a client with a certificate of another authority is refused, even with a valid signature', async () => {
    expect(await answers(trustBy(tls(ours)), trustBy(tls(throwAwayCa(), ours)))).toBe(false);
    expect(await answers(trustBy(tls(throwAwayCa(), ours)), trustBy(tls(ours)))).toBe(false);
  });

  test('does not replace the signature', async () => {
    const otherRing = { ...tls(ours), SERVICE_KEYS: `1:${randomBytes(32).toString('base64')}` };
    expect(await answers(trustBy(tls(ours)), trustBy(otherRing))).toBe(false);
  });

  test('needs all three files, which fit together', () => {
    const { GRPC_TLS_CA, ...two } = tls(ours);
    expect(() => read(two)).toThrow('set all three or none');
    expect(() => read({ ...two, GRPC_TLS_CA: '/nowhere.pem' })).toThrow('GRPC_TLS_CA names no file');
    expect(() => read({ ...tls(ours), GRPC_TLS_KEY: tls(ours).GRPC_TLS_KEY })).toThrow('do not fit together');
  });
});
