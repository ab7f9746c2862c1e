import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { repository } from '../local/data-dir.ts';
import type { Lock } from './lock.ts';
import { neverLoaded, productionPackages } from './production-packages.ts';

const committed = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as Lock;
const apps = Object.keys(committed.packages).flatMap((place) => /^apps\/([^/]+)$/.exec(place)?.slice(1) ?? []);
const urlOf = (file: string) => pathToFileURL(path.join(repository, file)).href;
const packagesMax = 75;
/** express and http-proxy-middleware bring their own; libphonenumber-js tells which phones are one. */
const packagesOfGatewayMax = 156;

test.each(apps)('%s is installed in production without development packages, with few in all', (app) => {
  const packages = productionPackages(committed, app);
  expect(packages.length).toBeLessThanOrEqual(app === 'gateway' ? packagesOfGatewayMax : packagesMax);
  expect(packages.filter((place) => /node_modules\/(@jest|jest|typescript|caniuse-lite|@types)/.test(place))).toEqual([]);
});

test('the gateway, traced or not, needs no package that is said to be never loaded', () => {
  const code = `
    import { registerHooks } from 'node:module';
    const absent = ${JSON.stringify(Object.values(neverLoaded).flat())};
    registerHooks({ resolve(name, context, next) {
      if (absent.some((one) => name === one || name.startsWith(one + '/'))) throw new Error(name + ' is loaded by ' + context.parentURL);
      return next(name, context);
    } });
    await import(${JSON.stringify(urlOf('apps/gateway/src/main.ts'))});
    const { startTraces } = await import(${JSON.stringify(urlOf('libs/service/src/traces.ts'))});
    const endpoint = 'http://127.0.0.1:9/v1/traces';
    await startTraces('test', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_KEY: 'key of this test' });
    process.exit(0);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: repository, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('a package that is never loaded does not count', () => {
  const packages: Lock['packages'] = {
    'apps/a': { dependencies: { protobufjs: '1' } },
    'node_modules/protobufjs': { dependencies: { '@types/node': '1', long: '1' } },
    'node_modules/@types/node': {},
    'node_modules/long': {},
  };
  expect(productionPackages({ packages }, 'a')).toEqual(['node_modules/long', 'node_modules/protobufjs']);
});

test("what only development needs is left out, but not its linked workspaces' needs", () => {
  const packages: Lock['packages'] = {
    'apps/a': { dependencies: { used: '1' }, devDependencies: { compiler: '1', testbed: '*' } },
    'libs/testbed': { dependencies: { jest: '1' }, devDependencies: { types: '1' } },
    'node_modules/testbed': { link: true, resolved: 'libs/testbed' },
    'node_modules/used': { peerDependencies: { peer: '1', other: '1' }, peerDependenciesMeta: { other: { optional: true } } },
    'node_modules/used/node_modules/peer': {},
  };
  for (const name of ['compiler', 'jest', 'types', 'peer', 'other']) packages[`node_modules/${name}`] = {};
  expect(productionPackages({ packages }, 'a')).toEqual(['node_modules/jest', 'node_modules/used', 'node_modules/used/node_modules/peer']);
});
