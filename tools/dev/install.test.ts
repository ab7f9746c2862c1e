/** Installs a project of two packages, each with a script of its own, with the installed npm. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repository } from '../local/data-dir.ts';
import type { Lock } from './lock.ts';

let root: string;
let registry: Server;
const inside = (...parts: string[]) => path.join(root, ...parts);
const write = (file: string, content: object | string) => {
  mkdirSync(path.dirname(inside(file)), { recursive: true });
  writeFileSync(inside(file), typeof content === 'string' ? content : JSON.stringify(content));
};

/** Asynchronous: the registry that npm calls answers from this process. */
function run(command: string, args: string[], cwd = root): Promise<{ status: unknown; stderr: string }> {
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const env = { ...process.env, npm_config_registry: address, npm_config_cache: inside('cache') };
  const { promise, resolve } = Promise.withResolvers<{ status: unknown; stderr: string }>();
  execFile(command, args, { cwd, env, shell: process.platform === 'win32' }, (error, _stdout, stderr) =>
    resolve({ status: error ? error.code : 0, stderr }),
  );
  return promise;
}
const install = () => run(process.execPath, [inside('tools/local/install.mjs')]);

/** A package whose script creates a file; its program `node` is the sign that a project is installed. */
async function pack(name: string): Promise<void> {
  const scripts = { postinstall: 'echo done > ran' };
  write(`packages/${name}/package.json`, { name, version: '1.0.0', scripts, bin: { node: 'program.js' } });
  write(`packages/${name}/program.js`, '');
  const { status } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', inside('packages')], inside('packages', name));
  expect(status).toBe(0);
}

function openRegistry(): Server {
  return createServer((request, response) => {
    const name = request.url!.slice(1);
    if (name.endsWith('.tgz')) return void response.end(readFileSync(inside('packages', name)));
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(inside('packages', `${name}-1.0.0.tgz`)))
      .digest('base64')}`;
    const dist = { integrity, tarball: `http://${request.headers.host}/${name}-1.0.0.tgz` };
    const manifest = { ...JSON.parse(readFileSync(inside('packages', name, 'package.json'), 'utf8')), hasInstallScript: true, dist };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': manifest } }));
  }).listen(0, '127.0.0.1');
}

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'install-'));
  registry = openRegistry();
  await once(registry, 'listening');
  for (const name of ['allowed', 'other']) await pack(name);
  const dependencies = { allowed: '1.0.0', other: '1.0.0' };
  write('package.json', { name: 'project', version: '1.0.0', dependencies, allowScripts: { allowed: true, other: false } });
  cpSync(path.join(repository, 'tools/local/install.mjs'), inside('tools/local/install.mjs'));
  expect(await run('npm', ['install', '--package-lock-only'])).toMatchObject({ status: 0 });
});
afterEach(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(root, { recursive: true, force: true });
});

test('only the packages that package.json names run a script when they are installed', async () => {
  expect(await install()).toMatchObject({ status: 0 });
  expect(existsSync(inside('node_modules/allowed/ran'))).toBe(true);
  expect(existsSync(inside('node_modules/other/package.json'))).toBe(true);
  expect(existsSync(inside('node_modules/other/ran'))).toBe(false);
});

test('production packages are not replaced beneath the processes that run on them', async () => {
  expect(await run('npm', ['ci', '--ignore-scripts'])).toMatchObject({ status: 0 });
  // As without the package that brings Node.
  rmSync(inside('node_modules/.bin/node'));
  expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('call node directly') });
  expect(existsSync(inside('node_modules/allowed/ran'))).toBe(false);
});

test('a lock file that does not match ends the install', async () => {
  const lock = JSON.parse(readFileSync(inside('package-lock.json'), 'utf8')) as Lock;
  delete lock.packages['node_modules/other'];
  write('package-lock.json', lock);
  expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci failed with the message above') });
  expect(existsSync(inside('node_modules'))).toBe(false);
});

test('every command of package.json installs first, so any can be the first', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const install = 'node tools/local/install.mjs';
  const commands = Object.keys(scripts).filter((name) => scripts[name] !== install && name !== 'postinstall');
  expect(commands.filter((name) => scripts[`pre${name}`] !== install)).toEqual([]);
});
