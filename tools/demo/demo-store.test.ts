/** `.data/demo.json`, as scripts read it. The stores are marked as loaded, so no database is needed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { demoStore } from './demo-store.ts';

const loaded = { api_key: 'sk_store_one', staff: { email: 'a', password: 'b' }, product_id: 7, second_store: { api_key: 'sk_store_two' } };
const url = 'postgres://nobody@127.0.0.1:1/nothing';
const baseUrl = 'http://127.0.0.1:3000';

let data: string;
let before: string | undefined;

beforeEach(() => {
  data = mkdtempSync(path.join(os.tmpdir(), 'demo-store-'));
  before = process.env.STORE_DATA_DIR;
  process.env.STORE_DATA_DIR = data;
});
afterEach(() => {
  if (before === undefined) delete process.env.STORE_DATA_DIR;
  else process.env.STORE_DATA_DIR = before;
  rmSync(data, { recursive: true });
});

const announced = () => JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8')) as Record<string, unknown>;

/** The folder of a layout whose database is loaded. */
function layout(name: string, record: object = loaded): string {
  const dir = path.join(data, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'demo-loaded.json'), JSON.stringify(record));
  return dir;
}

describe('demo.json', () => {
  test('announces the admin panel only when it is served, also after a start that served it', async () => {
    const dir = layout('.');
    await demoStore({ dir, url, baseUrl, adminServed: true });
    expect(announced()).toEqual({ ...loaded, base_url: baseUrl, admin_url: `${baseUrl}/admin` });
    await demoStore({ dir, url, baseUrl, adminServed: false });
    expect(announced()).toEqual({ ...loaded, base_url: baseUrl });
  });

  test('lies in the data directory for every layout, each with the keys of its own database', async () => {
    const services = layout('services', { ...loaded, api_key: 'sk_store_of_services' });
    const one = layout('.');
    await demoStore({ dir: services, url, baseUrl, adminServed: false });
    expect(announced().api_key).toBe('sk_store_of_services');
    await demoStore({ dir: one, url, baseUrl, adminServed: false });
    expect(announced().api_key).toBe('sk_store_one');
  });
});
