/** Fills the two demo stores of a new installation, through the API like any other client. Safe to repeat. */
import { scopes } from '@store/contract';
import { type Client, keyClient, staffClient } from './client.ts';
import { loadDispensary } from './dispensary.ts';
import { loadGiftStore } from './gift-store.ts';
import { openProgress, type Progress } from './progress.ts';

export interface Login {
  email: string;
  password: string;
}

export interface LoadOptions {
  /** Such as http://127.0.0.1:3000. */
  baseUrl: string;
  /** Admin of the gift store. */
  demo: Login;
  /** Admin of the store that sells by weight. */
  second: Login;
  /** Standard output when absent. */
  progress?: Progress;
}

export interface LoadedDemo {
  /** Keys with every scope. */
  apiKey: string;
  secondApiKey: string;
  /** A product of the demo store for examples. */
  productId: number;
}

export async function loadDemo(options: LoadOptions): Promise<LoadedDemo> {
  const { baseUrl, progress = openProgress() } = options;
  const staff = await staffClient(baseUrl, options.demo);
  const apiKey = await demoKey(staff);
  const productId = await loadGiftStore(staff, keyClient(baseUrl, apiKey), progress);
  progress.step('the second store', 5);
  const second = await staffClient(baseUrl, options.second);
  const secondApiKey = await demoKey(second);
  await loadDispensary(second, keyClient(baseUrl, secondApiKey));
  progress.done();
  return { apiKey, secondApiKey, productId };
}

const name = 'Demo key';
const rateLimit = 1_000;

/** The demo's API key: every scope, and the highest limit. A full key is shown only once, so the key of an interrupted load is lost: it is revoked and another one is created. */
async function demoKey(staff: Client): Promise<string> {
  const { api_keys: keys } = await staff.get<{ api_keys: { id: number; name: string; revoked_at: string | null }[] }>('/api_keys');
  for (const left of keys.filter((key) => key.name === name && key.revoked_at === null)) await staff.delete(`/api_keys/${left.id}`);
  const created = await staff.post<{ key: string }>('/api_keys', { api_key: { name, scopes, rate_limit: rateLimit } });
  return created.key;
}
