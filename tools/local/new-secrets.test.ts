import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { parseKeyRing } from '@store/db';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { parseAllDocuments } from 'yaml';
import { hasKubectl, rendered } from '../../deploy/k8s/rendered.ts';
import { repository } from './data-dir.ts';
import { newEnvFile, newKubernetesSecrets } from './new-secrets.ts';

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const folder = temporaryFolder();

const named = (text: string) => [...text.matchAll(/^(?:# )?([A-Z][A-Z_]*)=/gm)].map(([, name]) => name!);

test('deploy/.env.example names every variable of the compose files, and no other', () => {
  const variables = new Set(
    [...(read('deploy/compose.yaml') + read('deploy/compose.tls.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!),
  );
  expect(named(read('deploy/.env.example')).sort()).toEqual([...variables].sort());
});

test('every variable without a default is empty, and gets a new secret each time', () => {
  const example = read('deploy/.env.example');
  const required = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !/_DIGEST$|^STORE_VERSION$/.test(name));
  const [one, other] = [newEnvFile(example), newEnvFile(example)];
  for (const name of required) {
    const [valueOfOne, valueOfOther] = [one, other].map((text) => new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1]);
    expect([name, valueOfOne]).toEqual([name, expect.any(String)]);
    expect(valueOfOne).not.toBe(valueOfOther);
  }
  expect(parseKeyRing(/^SECRET_KEYS=(.+)$/m.exec(one)![1]!).ids).toEqual([1]);
});

test('npm run secrets writes a file that its user alone reads, and never replaces one', () => {
  const file = path.join(folder, '.env');
  const run = () => spawnSync(process.execPath, ['tools/local/new-secrets.ts', file], { cwd: repository, encoding: 'utf8' });
  expect(run().status).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file, 'utf8');
  expect(run()).toMatchObject({ status: 1, stderr: `${file} is there already, and its secrets are in use.\n` });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

const kubernetesSecrets = () =>
  parseAllDocuments(newKubernetesSecrets({ postgres: 'db:5432', database: 'store', redis: 'r:6379' })).map((document) => document.toJS());

(hasKubectl ? test : test.skip)('for Kubernetes it makes every Secret that a manifest names and requires', () => {
  const wanted = rendered('overlays/production')
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(({ spec }) => spec.template.spec.containers[0].envFrom)
    .filter(({ secretRef }) => secretRef && !secretRef.optional)
    .map(({ secretRef }) => secretRef.name);
  expect([...new Set(wanted)].sort()).toEqual(
    kubernetesSecrets()
      .map(({ metadata }) => metadata.name)
      .sort(),
  );
});

test('for Kubernetes every app reaches servers over verified TLS, with a password', () => {
  const secrets = kubernetesSecrets();
  const names = secrets.map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(appNames.map((app) => `store-${app}-database`)));
  const values: [string, string][] = secrets.flatMap(({ stringData }) => Object.entries<string>(stringData));
  const urls = (of: string) => values.filter(([name]) => name === of).map(([, url]) => url);
  for (const url of urls('DATABASE_URL')) expect(url).toMatch(/^postgres:\/\/\w+:[\w-]+@db:5432\/store\?sslmode=verify-full$/);
  expect(urls('REDIS_URL')).toEqual([expect.stringMatching(/^rediss:\/\/store:[0-9a-f]{48}@r:6379$/)]);
});
