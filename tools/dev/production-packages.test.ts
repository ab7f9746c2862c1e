import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { repository } from '../local/data-dir.ts';
import type { Lock } from './lock.ts';
import { productionPackages } from './production-packages.ts';

const committed = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as Lock;
const apps = Object.keys(committed.packages).flatMap((place) => /^apps\/([^/]+)$/.exec(place)?.slice(1) ?? []);
const packagesMax = 120;
/** express and http-proxy-middleware bring their own. */
const packagesOfGatewayMax = 200;

test.each(apps)('%s is installed in production without test libraries and types of development, and with few packages', (app) => {
  const packages = productionPackages(committed, app);
  expect(packages.length).toBeLessThanOrEqual(app === 'gateway' ? packagesOfGatewayMax : packagesMax);
  expect(packages.filter((place) => /node_modules\/(@jest|jest|typescript|caniuse-lite|@types\/(?!node$))/.test(place))).toEqual([]);
});

test('what only development needs is left out, but not what a linked workspace of development needs', () => {
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
