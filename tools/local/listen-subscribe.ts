/** The subscription of `npm run listen`: made for a running store, and deleted when listening ends. */
import path from 'node:path';
import { CannotStart } from './cannot-start.ts';
import { dataDir, readJson } from './data-dir.ts';

export interface Subscribed {
  secret: string;
  /** What was done, for the user. */
  explained: string;
  /** Sends a test ping, or explains why none arrived. */
  ping(): Promise<void>;
  remove(): Promise<void>;
}

interface Wanted {
  url: string;
  /** Names, separated by commas, or all. */
  events: string;
  /** The settings with which a local store can deliver. */
  trust: string;
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint.
  body: any;
}

export async function subscribe({ url, events, trust }: Wanted): Promise<Subscribed> {
  const store = target();
  const names = events === 'all' ? await allEvents(store) : events.split(',').map((name) => name.trim());
  const body = { webhook_subscription: { url, events: names } };
  const answer = await call(store, 'POST', '/webhook_subscriptions', body);
  if (answer.status !== 201) throw new CannotStart(refusal(answer, trust));
  const { id, secret } = answer.body.data as { id: number; secret: string };
  return {
    secret,
    explained: `Subscribed as ${id} at ${store.baseUrl} to ${names.join(', ')}. Ctrl-C deletes the subscription.`,
    ping: async () => {
      const { status } = await call(store, 'POST', `/webhook_subscriptions/${id}/test`);
      if (status !== 200)
        console.log(`The test ping did not arrive: the store has to trust this receiver. Start it with: ${trust} npm start`);
    },
    remove: async () => {
      const { status } = await call(store, 'DELETE', `/webhook_subscriptions/${id}`);
      if (status !== 200) throw new Error(`Subscription ${id} could not be deleted: the store answered ${status}.`);
    },
  };
}

interface Target {
  /** Without /api/v1. */
  baseUrl: string;
  key: string;
}

function target(): Target {
  const demo = readJson<{ base_url: string; api_key: string }>(path.join(dataDir(), 'demo.json'));
  const baseUrl = process.env.STORE_API_URL ?? demo?.base_url;
  const key = process.env.STORE_API_KEY ?? demo?.api_key;
  if (!baseUrl || !key)
    throw new CannotStart('No store is known: run npm start in another terminal, or set STORE_API_URL and STORE_API_KEY.');
  return { baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, ''), key };
}

async function call({ baseUrl, key }: Target, method: string, at: string, body?: object): Promise<Answer> {
  try {
    const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(`${baseUrl}/api/v1${at}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw new CannotStart(`The store at ${baseUrl} does not answer: run npm start in another terminal.`, { cause: error });
  }
}

/** The names of the reference, without the test ping's. */
async function allEvents(store: Target): Promise<string[]> {
  const { body } = await call(store, 'GET', '/openapi.json');
  return Object.keys(body.webhooks).filter((name) => name !== 'webhook.test');
}

function refusal({ status, body }: Answer, trust: string): string {
  const reasons = [body?.errors ?? body?.error ?? []].flat().join('; ');
  const hint = reasons.includes('WEBHOOK_ALLOW_CIDRS') ? ` Start the store with: ${trust} npm start` : '';
  return `The subscription was refused (${status}): ${reasons}.${hint}`;
}
