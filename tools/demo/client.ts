/** The public API as the demo's loader uses it: JSON in, JSON out, and an error that names what was refused. */
import { randomUUID } from 'node:crypto';

export interface Client {
  get<T>(path: string): Promise<T>;
  /** `once`: an Idempotency-Key, so that an interrupted load does not write twice. */
  post<T>(path: string, body: object, once?: string): Promise<T>;
  patch<T>(path: string, body: object): Promise<T>;
  /** A 404 counts as deleted. */
  delete(path: string): Promise<void>;
}

const attemptsMax = 5;

/** `credentials` go with every request: X-API-Key, or Authorization of a staff session. */
export function openClient(baseUrl: string, credentials: Record<string, string>, pause = pauseSeconds): Client {
  const call = async <T>(method: string, path: string, body?: object, once?: string): Promise<T> => {
    const key = once ?? (method === 'PATCH' ? randomUUID() : undefined);
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { ...credentials, ...(body && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // An interrupted POST without a key may have been done; a bulk_upsert gives the same products again.
      const repeatable = method !== 'POST' || key !== undefined || path === '/products/bulk_upsert';
      if (attempt < attemptsMax && isPassing(response.status, text, repeatable)) {
        await pause(Number(response.headers.get('retry-after') ?? 2 ** (attempt - 1)));
        continue;
      }
      if (method === 'DELETE' && response.status === 404) return undefined as T;
      if (!response.ok || response.status === 207) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as T;
    }
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body, once) => call('POST', path, body, once),
    patch: (path, body) => call('PATCH', path, body),
    delete: async (path) => {
      await call('DELETE', path);
    },
  };
}

/**
 * Another load with the same key may have used up this minute's limit. On a machine that is busy, as at a first start, a request may
 * also end at its deadline, and its repetition find it still in progress.
 */
function isPassing(status: number, text: string, repeatable: boolean): boolean {
  return status === 429 || (repeatable && (status === 500 || (status === 409 && text.includes('still in progress'))));
}

const pauseSeconds = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

export const keyClient = (baseUrl: string, key: string): Client => openClient(baseUrl, { 'X-API-Key': key });

/** Logs a member of staff in. */
export async function staffClient(baseUrl: string, login: { email: string; password: string }): Promise<Client> {
  const { token } = await openClient(baseUrl, {}).post<{ token: string }>('/staff_sessions', login);
  return openClient(baseUrl, { Authorization: `Bearer ${token}` });
}

/** Runs `work` over the items, a few at a time, and gives the results in the items' order. */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
