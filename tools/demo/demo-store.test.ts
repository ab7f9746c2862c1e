/** `.data/demo.json`, as scripts read it. The stores are marked as loaded, so no database is needed. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { demoStore } from './demo-store.ts';

const loaded = { api_key: 'sk_store_one', staff: { email: 'a', password: 'b' }, product_id: 7, second_store: { api_key: 'sk_store_two' } };
const url = 'postgres://nobody@127.0.0.1:1/nothing';
const baseUrl = 'http://127.0.0.1:3000';

let data: string;

beforeEach(() => {
  data = mkdtempSync(path.join(os.tmpdir(), 'demo-store-'));
  process.env.STORE_DATA_DIR = data;
});
afterEach(() => rmSync(data, { recursive: true }));

const announced = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8')) as Record<string, unknown>;

/** The folder of a layout whose database is loaded. */
function layout(name: string, record: object = loaded): string {
  const dir = path.join(data, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'demo-loaded.json'), JSON.stringify(record));
  return dir;
}

describe('demo.json', () => {
  test('announces the panel only when it is served, also after a start that served it', async () => {
    const dir = layout('.');
    await demoStore({ dir, url, baseUrl, adminServed: true });
    expect(announced()).toEqual({ ...loaded, base_url: baseUrl, admin_url: `${baseUrl}/admin` });
    await demoStore({ dir, url, baseUrl, adminServed: false });
    expect(announced()).toEqual({ ...loaded, base_url: baseUrl });
  });

  test('is in the data directory for every layout, with the keys of its own database', async () => {
    const services = layout('services', { ...loaded, api_key: 'sk_store_of_services' });
    const one = layout('.');
    await demoStore({ dir: services, url, baseUrl, adminServed: false });
    expect(announced().api_key).toBe('sk_store_of_services');
    await demoStore({ dir: one, url, baseUrl, adminServed: false });
    expect(announced().api_key).toBe('sk_store_one');
  });
});

describe('a folder of a release that wrote only demo.json', () => {
  const announcedIn = () => writeFileSync(path.join(data, 'demo.json'), JSON.stringify({ ...loaded, base_url: 'http://127.0.0.1:1' }));

  test('is taken as loaded where the API knows its key, and the key stays', async () => {
    announcedIn();
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push([request.method, request.url, request.headers['x-api-key']]);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      expect(await demoStore({ dir: data, url, baseUrl: own, adminServed: false })).toEqual({ ...loaded, base_url: own });
      expect(asked).toEqual([['GET', '/api/v1/key', loaded.api_key]]);
      expect(JSON.parse(readFileSync(path.join(data, 'demo-loaded.json'), 'utf8'))).toEqual(loaded);
    } finally {
      server.close();
    }
  });
});

test('stores that cannot be loaded end no start, and are not marked as loaded', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    expect(await demoStore({ dir: data, url, baseUrl, adminServed: false })).toBeUndefined();
    expect(said.mock.calls.flat().join()).toMatch(/^The demo stores are not whole: .*the next start tries again/);
    expect(() => announced()).toThrow();
  } finally {
    said.mockRestore();
  }
});
