/**
 * Attacks by one store, or by strangers, on the store beside it (D256 to D260): each row is one thing that a client can send again and
 * again, and that once made all others wait.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { count, type Sender } from './attack-pairs.ts';
import type { Attack } from './attacks.ts';
import type { BenchLayout } from './events-layout.ts';
import { wireRequest } from './load.ts';

/** The index knows all parts of the text that is searched for, so PostgreSQL looks into each row, for 0.2 ms, to find that it is not there. */
const slowNames = `
  insert into catalog.products (store_id, name, search_text, price, stock, stock_version, created_at, updated_at)
  select $1, 'a', repeat('a', 400) || 'b', 1, 0, 0, now(), now() from generate_series(1, 10000)`;

/** As many categories as a store can have, as deep and with names as long as they can be: the largest answer. */
const nested = `
  with made as (select nextval('catalog.categories_id_seq') as id, n from generate_series(1, 2000) n),
  chain as (select id, n, array_agg(id) over (partition by (n - 1) / 10 order by n rows between unbounded preceding and 1 preceding) as above from made)
  insert into catalog.categories (id, store_id, name, slug, parent_id, ancestor_ids, created_at, updated_at) overriding system value
  select id, $1, rpad('Category ' || n || ' ', 255, 'with a long name '), 'nested-' || n, above[cardinality(above)], coalesce(above, '{}'), now(), now()
  from chain`;

/** In the deepest of each chain: a category without products is not shown, nor what is above it. */
const shownNested = `
  insert into catalog.product_categories (store_id, product_id, category_id)
  select $1, $2, id from catalog.categories where store_id = $1 and cardinality(ancestor_ids) = 9`;

const halfSentPerAddress = 1_024;
const openedTogether = 4;
const openEveryMs = 10;

/** A panel of one file that is served compressed. */
export function writePanel(folder: string): string {
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  const script = Buffer.from('export const answer = 42;\n'.repeat(1_000));
  writeFileSync(path.join(folder, 'assets/bench.js'), script);
  writeFileSync(path.join(folder, 'assets/bench.js.gz'), gzipSync(script));
  return folder;
}

export async function attacksOnNeighbours({ fixture, database }: BenchLayout, token: string): Promise<Attack[]> {
  const { scratch } = fixture;
  await database.query(slowNames, [scratch.storeId]);
  await database.query(nested, [scratch.storeId]);
  await database.query(shownNested, [scratch.storeId, scratch.ids[0]]);
  const key = (n: number) => ({ 'X-API-Key': scratch.keys[1 + (n % (scratch.keys.length - 1))]! });
  const get = (path: string, headers: Record<string, string>) => wireRequest('GET', path, { Connection: 'close', ...headers });
  const unlimited = { 'X-API-Key': scratch.keys[0]! };
  // Each changes all of them again: a price that a product has already is no event.
  const bulk = (updates: object) => JSON.stringify({ product_ids: scratch.ids, updates });
  const update = (n: number, updates: object) =>
    wireRequest('PATCH', '/api/v1/products/bulk_update', { Connection: 'close', ...key(n) }, bulk(updates));
  // Their backlog is above 20,000 (D258).
  const inBulk = { atOnce: 2, expect: ['200', '503'] };
  const login = JSON.stringify(scratch.staff);
  return [
    {
      name: 'Accept-Encoding of 8 KB',
      request: () => get('/admin/assets/bench.js', { 'Accept-Encoding': `gzip${';q=0.'.repeat(1_600)}x` }),
      atOnce: 2,
      expect: ['200'],
    },
    { name: 'path of 8 KB of slashes', request: () => get(`/docs${'/'.repeat(8_000)}x`, {}), atOnce: 2, expect: ['404'] },
    {
      name: `half-sent logins, 4 addresses of ${halfSentPerAddress.toLocaleString('en')}`,
      request: (n) =>
        wireRequest('POST', '/api/v1/staff_sessions', {
          'X-Forwarded-For': `203.0.113.${n % 4}`,
          'Content-Type': 'application/json',
          'Content-Length': '16000',
        }),
      atOnce: 1,
      expect: ['408', '429'],
      run: holdHalfSent,
      writes: true,
    },
    {
      name: 'searches of 2 s by another store',
      request: (n) => get(`/api/v1/products?search=${'a'.repeat(401)}b`, key(n)),
      atOnce: 10,
      // Together they take longer than the deadline of each: a late call is a 500 with Retry-After (D175, D257).
      expect: ['200', '500'],
    },
    {
      name: 'right logins of another store, again and again',
      request: () => wireRequest('POST', '/api/v1/staff_sessions', { Connection: 'close' }, login),
      atOnce: 8,
      expect: ['201', '429'],
    },
    { name: 'prices of 1,000 products of another store', request: (n) => update(n, { price: `${3 + (n % 2)}.00` }), ...inBulk },
    { name: 'stock of 1,000 products of another store', request: (n) => update(n, { current_stock: 3 + (n % 2) }), ...inBulk },
    {
      name: 'a key of another store beyond its limit',
      request: () => get('/api/v1/key', unlimited),
      atOnce: 16,
      paceMs: 20,
      expect: ['200', '429'],
    },
    {
      name: 'reports of another store',
      request: () => get('/api/v1/requests?per_page=100&page=50', { Authorization: `Bearer ${token}` }),
      atOnce: 10,
      expect: ['200'],
    },
    { name: '2,000 nested categories of another store', request: (n) => get('/api/v1/categories', key(n)), atOnce: 4, expect: ['200'] },
  ];
}

/** Opens connections, sends the head and one byte of each body, and holds them. */
async function holdHalfSent({ request }: Attack, port: number, seconds: number, sender: Sender): Promise<void> {
  const sockets: Socket[] = [];
  while (sockets.length < 4 * halfSentPerAddress) {
    const bytes = Buffer.concat([request(sockets.length), Buffer.from('{')]);
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => count(sender, chunk.toString('latin1', 9, 12)));
    socket.on('error', () => socket.destroy());
    sockets.push(socket);
    // This process measures too, and holding is the attack: opening may not take the processor.
    if (sockets.length % openedTogether === 0) await wait(openEveryMs);
  }
  await wait(seconds * 1_000);
  for (const socket of sockets) socket.destroy();
}
