/** The packages as one installs them from this repository: they resolve, run on every Node at hand, and their types judge calls. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const published = ['verify', 'client', 'mcp'];
const manifestOf = (at: string) => JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
let folder: string;

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

function typeFaults(script: string, ...more: string[]): string {
  writeFileSync(path.join(folder, 'typed.ts'), script);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...more, '--types', '', 'typed.ts'];
  return run(path.join(root, 'node_modules/.bin/tsc'), options, folder);
}

/** Each node of the PATH that is new enough, and this one. */
function nodes(): string[] {
  const found = (process.env.PATH ?? '').split(path.delimiter).map((part) => path.join(part, 'node'));
  const supported = (node: string) => {
    const [major = 0, minor = 0] = run(node, ['-p', 'process.versions.node'], folder).split('.').map(Number);
    return major > 20 || (major === 20 && minor >= 3);
  };
  return [...new Set([process.execPath, ...found.filter((file) => existsSync(file))])].filter(supported);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'client-'));
  run('npm', ['pack', '--silent', '-w', '@store/verify', '-w', '@store/client', '-w', '@store/mcp', '--pack-destination', folder], root);
  writeFileSync(path.join(folder, 'package.json'), '{"name": "shop", "private": true, "type": "module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', './store-verify-1.0.0.tgz', './store-client-1.0.0.tgz'], folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it runs where it is installed, on Node 20.3 and later', () => {
  const script = `
    import { StoreClient, verifySignature } from '@store/client';
    const store = new StoreClient({ baseUrl: 'http://127.0.0.1:1', key: 'sk', attempts: 1 });
    const error = await store.call('getKey').catch((thrown) => thrown);
    console.log(error.name, typeof verifySignature);`;
  writeFileSync(path.join(folder, 'shop.mjs'), script);
  for (const node of nodes()) expect([node, run(node, ['shop.mjs'], folder)]).toEqual([node, 'StoreConnectionError function\n']);
});

test('its types know the operations, what they take and what they answer', () => {
  const script = `
    import { type Event, type Schemas, StoreClient, type WebhookBody } from '@store/client';
    const store = new StoreClient({ baseUrl: 'https://shop.example.com', key: 'sk' });
    for await (const product of store.rows('listProducts')) { const known: Schemas['Product'] = product; known.sku?.trim(); }
    const { data, status } = await store.call('bulkUpsert', { body: { products: [{ sku: 'a' }] } });
    const counted: number = data.created + status;
    for await (const brand of store.rows('listBrands')) brand.name.trim();
    function handle(event: Event): number | undefined {
      if (event.event === 'product.created') return 'sku' in event.data ? event.data.sku?.length : event.sequence;
      if (event.event === 'product.deleted') return event.data.id;
      // @ts-expect-error there is no such event
      if (event.event === 'product.sold') return 1;
      // @ts-expect-error of other kinds the data has no sku
      return event.data.sku;
    }
    const isTest = (body: WebhookBody) => body.event === 'webhook.test' && body.data.message;
    export { counted, handle, isTest };
    // @ts-expect-error there is no such operation
    await store.call('listPrices');
    // @ts-expect-error it takes a body
    await store.call('createProduct');
    // @ts-expect-error the field does not exist
    await store.call('createProduct', { body: { product: { name: 'x', prce: 1 } } });
    // @ts-expect-error it has no pages
    store.rows('getKey');`;
  expect(typeFaults(script)).toBe('');
});

test('the example of its README is what its types take', () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path.join(root, 'libs/client/README.md'), 'utf8')) ?? [];
  expect(example).toContain('StoreClient');
  const script = `declare const process: { env: Record<string, string | undefined> };\n${example}`;
  expect(typeFaults(script, '--lib', 'es2022,dom')).toBe('');
});

test('the MCP server runs where it is installed', () => {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '@store/mcp'));
  run('tar', ['-xzf', 'store-mcp-1.0.0.tgz', '--strip-components', '1', '-C', 'node_modules/@store/mcp'], folder);
  // Its dependencies are those that are installed here: a registry may be out of reach.
  for (const name of ['@modelcontextprotocol', 'ajv']) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  const env = { ...process.env, STORE_API_URL: 'http://127.0.0.1:1', STORE_API_KEY: 'sk' };
  const { status, stderr } = spawnSync(process.execPath, ['node_modules/@store/mcp/src/main.js'], { cwd: folder, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('getKey: no answer from the API')]);
}, 60_000);

test('each package has what a registry shows, and the version of the API', () => {
  const { version } = manifestOf(root);
  for (const name of published) {
    const manifest = manifestOf(path.join(folder, 'node_modules/@store', name));
    expect(manifest).toMatchObject({ version, license: 'Apache-2.0', author: expect.any(String), keywords: expect.any(Array) });
    const own = Object.entries(manifest.dependencies as Record<string, string>).filter(([one]) => one.startsWith('@store/'));
    expect(own.filter(([, wanted]) => wanted !== version)).toEqual([]);
    expect(existsSync(path.join(folder, 'node_modules/@store', name, 'LICENSE'))).toBe(true);
    // A registry shows the README without the files beside it.
    expect(readFileSync(path.join(folder, 'node_modules/@store', name, 'README.md'), 'utf8')).not.toMatch(/\]\(\.{1,2}\//);
  }
  expect(readFileSync(path.join(root, 'libs/client-python/pyproject.toml'), 'utf8')).toContain(`version = "${version}"`);
});
