/** The store's developer API: operations by their names in its OpenAPI document. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../gen/operations.js';
import { follow, latestSequence } from './follow.js';
import { send } from './send.js';

export { verifySignature } from '@store/verify';
export { operations } from '../gen/operations.js';
export { isStoreError, StoreApiError, StoreConnectionError } from './errors.js';

const attemptsDefault = 4;
const timeoutMsDefault = 60_000;
const pageRows = 100;
const upsertRows = 1_000;

export class StoreClient {
  #settings;

  constructor({
    baseUrl,
    key,
    attempts = attemptsDefault,
    timeoutMs = timeoutMsDefault,
    strict = false,
    fetch = globalThis.fetch,
    wait = waitFor,
  }) {
    if (!key) throw new TypeError('StoreClient needs a key');
    if (!baseUrl) throw new TypeError('StoreClient needs the baseUrl of the API');
    this.#settings = { baseUrl: apiUrl(baseUrl), key, attempts, timeoutMs, strict, fetch, wait };
    this.events = {
      follow: (after, options) => follow(this.#settings, after, options),
      latest: (options) => latestSequence(this.#settings, options),
    };
  }

  call(operation, options) {
    return send(this.#settings, operation, options);
  }

  /** Every page of a list, by its cursors: rows that are there all along come once, however the list changes meanwhile. */
  async *pages(operation, options = {}) {
    const paged = operations[operation]?.cursors === true;
    for (let after = ''; after !== null; ) {
      const query = paged ? { per_page: pageRows, ...options.query, page: undefined, after } : options.query;
      const answer = await this.call(operation, { ...options, query });
      yield answer;
      after = nextOf(answer.headers.get('link'));
    }
  }

  async *rows(operation, options = {}) {
    for await (const { data } of this.pages(operation, options)) yield* data;
  }

  async bulkUpsert(rows, { idempotencyKey, ...options } = {}) {
    const total = { created: 0, updated: 0, failed: 0, created_skus: [], updated_skus: [], errors: [] };
    for await (const { start, products } of chunksOf(rows)) {
      const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${start}`;
      const { data } = await this.call('bulkUpsert', { ...options, idempotencyKey: key, body: { products } });
      for (const name of ['created', 'updated', 'failed']) total[name] += data[name];
      for (const name of ['created_skus', 'updated_skus']) total[name].push(...data[name]);
      total.errors.push(...data.errors.map((error) => ({ ...error, index: error.index + start })));
    }
    return total;
  }
}

/** The cursor in `<…>; rel="next"`; null on the last page. */
function nextOf(link) {
  const [, url] = /^<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return url === undefined ? null : new URL(url, 'http://api').searchParams.get('after');
}

async function* chunksOf(rows) {
  let [start, products] = [0, []];
  for await (const row of rows) {
    products.push(row);
    if (products.length < upsertRows) continue;
    yield { start, products };
    start += upsertRows;
    products = [];
  }
  if (products.length > 0) yield { start, products };
}

/** What `npm start` prints, with or without /api/v1. */
function apiUrl(text) {
  const base = String(text).replace(/(?<!\/)\/+$/, '');
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

const waitFor = (ms, signal) => sleep(ms, undefined, { signal });
