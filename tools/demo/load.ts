/** Fills the two demo stores of a new installation, through the API like any other client. Safe to repeat. */
import { keyClient, staffClient } from './client.ts';
import { demoKey } from './demo-key.ts';
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
