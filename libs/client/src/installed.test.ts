/** The package as one installs it from this repository: it resolves, runs on every Node at hand, and its types judge calls. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
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
  run('npm', ['pack', '--silent', '-w', '@store/verify', '-w', '@store/client', '--pack-destination', folder], root);
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
  writeFileSync(path.join(folder, 'shop.ts'), script);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', 'shop.ts'];
  expect(run(path.join(root, 'node_modules/.bin/tsc'), options, folder)).toBe('');
});

test('the example of its README is what its types take', () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path.join(root, 'libs/client/README.md'), 'utf8')) ?? [];
  expect(example).toContain('StoreClient');
  writeFileSync(path.join(folder, 'readme.ts'), `declare const process: { env: Record<string, string | undefined> };\n${example}`);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', 'readme.ts'];
  expect(run(path.join(root, 'node_modules/.bin/tsc'), options, folder)).toBe('');
});
