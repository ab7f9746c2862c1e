/** The TypeScript client (libs/client) against the running product. */
import { describe, expect, test } from '@jest/globals';
import { isStoreError, StoreClient } from '@store/client';
import { useWorld } from '../kit/use.ts';

/** Waits are moves of the injected clock. */
const wait = async (ms: number) => world.clock.advance(ms);
const clientOf = (key: string) => new StoreClient({ baseUrl: world.baseUrl, key, strict: true, wait });

const world = await useWorld();
const store = clientOf(await world.newKey(world.store));

describe('the client', () => {
  test('writes in bulk, tries a write, and reads every row of several pages', async () => {
    const products = Array.from({ length: 250 }, (_, n) => ({ sku: `C-${n}`, name: `Client ${n}`, price: '1.50' }));
    const tried = await store.call('bulkUpsert', { body: { products }, dryRun: true });
    expect([tried.status, tried.meta.dry_run, tried.data.created]).toEqual([200, true, 250]);
    const saved = await store.call('bulkUpsert', { body: { products: [...products, { sku: ' ', name: 'No sku' }] } });
    expect([saved.status, saved.data.created, saved.data.errors]).toEqual([207, 250, [expect.objectContaining({ index: 250 })]]);
    const skus = new Set<string | undefined>();
    for await (const product of store.rows('listProducts', { query: { search: 'client' } })) skus.add(product.sku);
    expect(skus.size).toBe(250);
    for await (const row of store.rows('listCategories')) expect(row.id).toBeGreaterThan(0);
    const { data } = await store.call('listProducts', { query: { sku: 'C-7' } });
    expect(data[0]).toMatchObject({ sku: 'C-7', price: '1.50' });
    expect((await store.call('getProduct', { params: { id: data[0]!.id } })).data.name).toBe('Client 7');
  });

  test('names what was refused, a misspelt field among it', async () => {
    const misspelt = store.call('createProduct', { body: { product: { name: 'x', prce: 1 } as never } });
    await expect(misspelt).rejects.toMatchObject({ code: 'invalid', errors: { 'product.prce': ['is not a field of this request'] } });
    const missing = await store.call('getProduct', { params: { id: 999_999 } }).catch((error: unknown) => error);
    expect(isStoreError(missing, 'not_found')).toBe(true);
    await expect(clientOf('sk_store_wrong').call('getKey')).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('upserts any number of rows, numbered as given, with a key per request', async () => {
    const rows = Array.from({ length: 1_050 }, (_, n) => ({ sku: n === 1_040 ? ' ' : `B-${n}`, name: `Chunked ${n}` }));
    const first = await store.bulkUpsert(rows, { idempotencyKey: 'import-7' });
    expect([first.created, first.failed, first.created_skus.length]).toEqual([1_049, 1, 1_049]);
    expect(first.errors).toEqual([expect.objectContaining({ index: 1_040 })]);
    expect(await store.bulkUpsert(rows, { idempotencyKey: 'import-7' })).toEqual(first);
    const again = await store.call('bulkUpsert', { body: { products: rows.slice(1_000) }, idempotencyKey: 'import-7-1000' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('follows the event log from a number, and from its end', async () => {
    await world.settled();
    const latest = await store.events.latest();
    for (let n = 0; n < 120; n++) await store.call('createProduct', { body: { product: { name: `Followed ${n}` } } });
    await world.settled();
    const seen: number[] = [];
    for await (const event of store.events.follow(latest, { types: ['product.created'] })) {
      seen.push(event.sequence);
      if (seen.length === 120) break;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => latest + 1 + n));
    expect(await store.events.latest()).toBe(latest + 120);
  });
});
