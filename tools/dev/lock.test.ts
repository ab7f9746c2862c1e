/** npm ci works with every npm from 10 on (checked by hand with 10.0.0, 10.9, 11.0 and 11.19): here with the installed npm. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { repository } from '../local/data-dir.ts';
import { type Lock, lockFaults } from './lock.ts';

const folder = temporaryFolder();
const committed = () => JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as Lock;

test('npm ci accepts the committed lock file without asking a registry', () => {
  const manifests = Object.keys(committed().packages).filter((place) => !place.includes('node_modules/'));
  for (const place of manifests) cpSync(path.join(repository, place, 'package.json'), path.join(folder, place, 'package.json'));
  cpSync(path.join(repository, 'package-lock.json'), path.join(folder, 'package-lock.json'));
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.each<[string, (lock: Lock) => void, string]>([
  [
    'a missing package of another platform',
    ({ packages }) => delete packages['node_modules/@biomejs/cli-darwin-arm64'],
    'node_modules/@biomejs/biome needs @biomejs/cli-darwin-arm64, which package-lock.json lacks',
  ],
  [
    'a package without its hash',
    ({ packages }) => delete packages['node_modules/express']!.integrity,
    'node_modules/express has no sha512 in package-lock.json',
  ],
  [
    'a package with a hash that can be forged',
    ({ packages }) => {
      packages['node_modules/express']!.integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
    },
    'node_modules/express has no sha512 in package-lock.json',
  ],
  [
    'a package from a registry of one company',
    ({ packages }) => {
      packages['node_modules/express']!.resolved = 'https://npm.company.example/express.tgz';
    },
    'node_modules/express comes from https://npm.company.example/express.tgz, which others may not reach',
  ],
])('%s is a fault', (_what, plant, fault) => {
  const lock = committed();
  plant(lock);
  expect(lockFaults(lock)).toEqual([fault]);
});
