import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type AppName, appNames, apps, callersOf, serviceOf } from '@store/contract';
import { systemClock } from '@store/db';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { client, connect, encodeFixedPart, openCaller, type PeerTrust, serve, signCaller, systemCaller, type Trust } from '@store/rpc';
import { logNothing } from '@store/testbed';
import { type ThrowAwayCa, throwAwayCa } from '@store/testbed/certificates';
import { keysVariable, pairs, pairsOf } from './doors.ts';
import { settingsOf } from './start-service.ts';
import { isLoopback, openTrust, readServiceConfig } from './trust.ts';

const DATABASE_URL = 'postgres://store@127.0.0.1/store';
const newKey = (id = 1) => `${id}:${randomBytes(32).toString('base64')}`;
/** The keys of an installation. */
const installation = Object.fromEntries(pairs.map((pair) => [keysVariable(pair), newKey()]));
/** What one app of it is given. */
const given = (app: AppName) => Object.fromEntries(pairsOf(app).map((pair) => [keysVariable(pair), installation[keysVariable(pair)]]));
const read = (app: AppName, env: NodeJS.ProcessEnv) => readServiceConfig(settingsOf({ app }), { DATABASE_URL, ...env });
const trustOf = (app: AppName, env: NodeJS.ProcessEnv = given(app)) => openTrust(app, read(app, env), systemClock);

describe('a service that others reach', () => {
  test.each(['0.0.0.0:50051', '[::]:50051', '10.0.0.7:50051', 'catalog:50051', '127.0.0.1.example.org:50051'])(
    "at %s does not start without each caller's keys, and names them",
    (address) => {
      const { INVENTORY_TO_CATALOG_KEYS: _one, ...others } = given('catalog');
      expect(() => read('catalog', { ...others, CATALOG_LISTEN: address })).toThrow(
        `CATALOG_LISTEN is ${address}, beyond this machine: INVENTORY_TO_CATALOG_KEYS must be set, the same for both apps`,
      );
      expect(read('catalog', { ...given('catalog'), CATALOG_LISTEN: address }).CATALOG_LISTEN).toBe(address);
    },
  );

  test('or that calls another one beyond this machine does not either', () => {
    const { SALES_TO_CUSTOMERS_KEYS: _one, ...others } = given('sales');
    const refusal = 'CUSTOMERS_ADDRESS is till:50053, beyond this machine: SALES_TO_CUSTOMERS_KEYS must be set';
    expect(() => read('sales', { ...others, CUSTOMERS_ADDRESS: 'till:50053' })).toThrow(refusal);
    expect(read('sales', { SALES_TO_CUSTOMERS_KEYS: newKey(), CUSTOMERS_ADDRESS: 'till:50053' }).CUSTOMERS_ADDRESS).toBe('till:50053');
  });

  test.each(['127.0.0.1:0', '127.8.9.1:1', 'localhost:1', '[::1]:1', '::1:1'])('at %s is on this machine', (address) => {
    expect(isLoopback(address)).toBe(true);
    expect(read('sales', { SALES_LISTEN: address }).SALES_LISTEN).toBe(address);
  });

  const twice = newKey();
  test.each(['x', '1:AAAA', `${twice},${twice}`])('does not start with the bad ring "%s"', (ring) => {
    expect(() => read('sales', { SALES_TO_CATALOG_KEYS: ring })).toThrow('SALES_TO_CATALOG_KEYS');
  });

  test("does not start with one key for two pairs, nor the key of all as a pair's", () => {
    const both = { GATEWAY_TO_SALES_KEYS: twice, SALES_TO_CATALOG_KEYS: `${newKey(2)},${twice}` };
    expect(() => read('sales', both)).toThrow('have the same key');
    expect(() => read('sales', { SERVICE_KEYS: twice, SALES_TO_CATALOG_KEYS: twice })).toThrow('have the same key');
  });
});

const caller = systemCaller(1);
const fixedPart = encodeFixedPart(caller);

/** Whether `called` accepts, at its door, a call to one of its rpcs that these keys signed. */
function accepts(called: AppName, keys: PeerTrust['keys'], door: Trust = trustOf(called).door): boolean {
  const target = `/${serviceOf(called)}/Anything`;
  return openCaller(door.keys, signCaller(keys, fixedPart, caller, target), target) !== undefined;
}

describe('an app signs only as itself, and only what the registry lets it call', () => {
  test.each(pairs)('$caller may call $called', ({ caller: app, called }) => {
    expect(accepts(called as AppName, trustOf(app as AppName).toward(called).keys)).toBe(true);
  });

  const strangers = appNames.flatMap((app) =>
    appNames.filter((other) => !(apps[app].calls as readonly string[]).includes(other)).map((other) => [app, other] as const),
  );
  test.each(strangers)('%s may not call %s, neither by its keys nor in one process without keys', (app, other) => {
    expect(accepts(other, trustOf(app).toward(other).keys)).toBe(false);
    expect(accepts(other, trustOf(app, {}).toward(other).keys, trustOf(other, {}).door)).toBe(false);
  });

  test('no key given to webhooks signs a call to any other service, as anybody', () => {
    for (const own of pairsOf('webhooks'))
      for (const called of appNames.filter((app) => app !== 'webhooks'))
        for (const as of callersOf(called)) {
          const forged = trustOf(as, { [keysVariable({ caller: as, called })]: installation[keysVariable(own)] }).toward(called).keys;
          expect([as, called, accepts(called, forged)]).toEqual([as, called, false]);
        }
  });

  test('a caller signed for one app is refused by every other, for the same rpc too', () => {
    const target = '/store.catalog.v1.Catalog/GetProduct';
    const captured = signCaller(trustOf('gateway').toward('sales').keys, fixedPart, caller, target);
    expect(openCaller(trustOf('sales').door.keys, captured, target)).toEqual(caller);
    for (const other of appNames.filter((app) => app !== 'sales'))
      expect(openCaller(trustOf(other).door.keys, captured, target)).toBeUndefined();
  });
});

test('keys rotate pair by pair: accepted before they sign, and still while second', () => {
  const old = installation.SALES_TO_CATALOG_KEYS!;
  const newest = newKey(2);
  const salesWith = (ring: string) => trustOf('sales', { ...given('sales'), SALES_TO_CATALOG_KEYS: ring }).toward('catalog').keys;
  const catalogWith = (ring: string) => trustOf('catalog', { ...given('catalog'), SALES_TO_CATALOG_KEYS: ring }).door;
  for (const ring of [old, `${old},${newest}`, `${newest},${old}`]) {
    expect(accepts('catalog', salesWith(ring), catalogWith(`${old},${newest}`))).toBe(true);
    expect(accepts('catalog', salesWith(ring), catalogWith(`${newest},${old}`))).toBe(true);
  }
  expect(accepts('catalog', salesWith(old), catalogWith(newest))).toBe(false);
});

describe('the upgrade from the one ring SERVICE_KEYS', () => {
  const SERVICE_KEYS = newKey();
  const before = { SERVICE_KEYS };
  const during = (app: AppName) => ({ ...given(app), SERVICE_KEYS });
  const sales = (env: NodeJS.ProcessEnv) => trustOf('sales', env).toward('catalog').keys;
  const catalog = (env: NodeJS.ProcessEnv) => trustOf('catalog', env).door;

  test('goes on in any order of called before calling, each step with the one before', () => {
    expect(accepts('catalog', sales(before), catalog(before))).toBe(true);
    expect(accepts('catalog', sales(before), catalog(during('catalog')))).toBe(true);
    expect(accepts('catalog', sales(during('sales')), catalog(during('catalog')))).toBe(true);
    expect(accepts('catalog', sales(given('sales')), catalog(during('catalog')))).toBe(true);
    expect(accepts('catalog', sales(during('sales')), catalog(given('catalog')))).toBe(true);
  });

  test('ends with it: what only SERVICE_KEYS signed is refused once they are gone', () => {
    expect(accepts('catalog', sales(before), catalog(given('catalog')))).toBe(false);
  });

  test('accepts a revocation that the gateway attested before, for as long', () => {
    const fact = 'a key was revoked';
    const word = trustOf('gateway', before).toward('webhooks').keys.attest(fact);
    expect(trustOf('webhooks', during('webhooks')).from('gateway').isAttested(fact, word)).toBe(true);
    expect(trustOf('webhooks').from('gateway').isAttested(fact, word)).toBe(false);
    expect(trustOf('webhooks').from('gateway').isAttested(fact, trustOf('gateway').toward('webhooks').keys.attest(fact))).toBe(true);
  });
});

/** Whether catalog answers the gateway. */
async function answers(catalog: NodeJS.ProcessEnv, gateway: NodeJS.ProcessEnv): Promise<boolean> {
  const verbs = { GetProduct: async () => ({ product: { id: 7 } }) };
  const trust = trustOf('catalog', catalog).door;
  const running = await serve({ 'store.catalog.v1.Catalog': verbs }, { listen: '127.0.0.1:0', trust, log: logNothing });
  const channel = connect(running.address, trustOf('gateway', gateway).toward('catalog'));
  const call = { caller, deadlineMs: Date.now() + 60_000 };
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

test('services of one process accept each other without keys, and no process with keys', async () => {
  expect(await answers({}, {})).toBe(true);
  expect(await answers({}, given('gateway'))).toBe(false);
  expect(await answers(given('catalog'), given('gateway'))).toBe(true);
});

describe('TLS between services', () => {
  const { GATEWAY_TO_CATALOG_KEYS } = installation;
  const plain = { GATEWAY_TO_CATALOG_KEYS };
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
    return { GATEWAY_TO_CATALOG_KEYS, GRPC_TLS_CERT: file(cert), GRPC_TLS_KEY: file(key), GRPC_TLS_CA: file(believed.caPem) };
  };

  test('works where both present a certificate of the authority', async () => {
    expect(await answers(tls(ours), tls(ours))).toBe(true);
  });

  test('refuses a plain client, and a client refuses a plain service', async () => {
    expect(await answers(tls(ours), plain)).toBe(false);
    expect(await answers(plain, tls(ours))).toBe(false);
  });

  test('is mutual: a client of another authority is refused, despite a signature', async () => {
    expect(await answers(tls(ours), tls(throwAwayCa(), ours))).toBe(false);
    expect(await answers(tls(throwAwayCa(), ours), tls(ours))).toBe(false);
  });

  test('does not replace the signature', async () => {
    const otherRing = { ...tls(ours), GATEWAY_TO_CATALOG_KEYS: newKey() };
    expect(await answers(tls(ours), otherRing)).toBe(false);
  });

  test('needs all three files, which fit together', () => {
    const { GRPC_TLS_CA, ...two } = tls(ours);
    expect(() => read('catalog', two)).toThrow('set all three or none');
    expect(() => read('catalog', { ...two, GRPC_TLS_CA: '/nowhere.pem' })).toThrow('GRPC_TLS_CA names no file');
    expect(() => read('catalog', { ...tls(ours), GRPC_TLS_KEY: tls(ours).GRPC_TLS_KEY })).toThrow('do not fit together');
  });
});
