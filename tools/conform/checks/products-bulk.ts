/** POST /products/bulk_upsert and PATCH /products/bulk_update. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { newProduct, removeSkus, productScopes as scopes } from '../made.ts';
import { holds, same } from '../outcome.ts';

const { write } = areaOf('products-bulk');

const upsert = (kit: Kit, products: unknown) => kit.send('POST', '/products/bulk_upsert', { body: { products } });
const update = (kit: Kit, product_ids: unknown, updates: unknown) =>
  kit.send('PATCH', '/products/bulk_update', { body: { product_ids, updates } });
const stockOf = async (kit: Kit, id: number) => (await kit.send('GET', `/products/${id}`)).body.data.current_stock;

const notRows: [string, unknown][] = [
  ['none', undefined],
  ['an empty list', []],
  ['a text', 'x'],
  ['an object', { sku: 'x' }],
];
const noIds: [string, unknown][] = [
  ['none', undefined],
  ['an empty list', []],
  ['a number', 5],
];
const badUpdates: [string, object][] = [
  ['a negative price', { price: -1 }],
  ['a price that is no number', { price: 'x' }],
  ['an unknown type of stock_adjustment', { stock_adjustment: { type: 'double', amount: 1 } }],
];

const emptyRule = 'A missing or empty products array is 422 "products must be a non-empty array".';
const noIdsRule = 'Missing product_ids, or ones that are no array, are 422 "No products selected".';
const failedRule =
  'If any product failed the answer is 422, unwrapped: success false, updated_count, total_count and errors with id, name and errors.';

export const bulkChecks = [
  write(
    'POST /products/bulk_upsert',
    'Rows with a new sku create a product, and sending them again updates it: 200 with counts and skus.',
    scopes,
    async (kit) => {
      const skus = [kit.unique(), kit.unique()];
      removeSkus(kit, skus);
      const rows = skus.map((sku) => ({ sku, name: `Conformance ${sku}` }));
      const none = { created: 0, updated: 0, failed: 0, created_skus: [], updated_skus: [], errors: [] };
      const first = await upsert(kit, rows);
      same('the first answer', [first.status, first.body?.data], [200, { ...none, created: 2, created_skus: skus }]);
      const again = await upsert(kit, rows);
      same('the second answer', [again.status, again.body?.data], [200, { ...none, updated: 2, updated_skus: skus }]);
    },
  ),
  write('POST /products/bulk_upsert', 'A row that changes nothing counts as updated and leaves updated_at alone.', scopes, async (kit) => {
    const { id, sku, name, updated_at } = await newProduct(kit);
    const { body } = await upsert(kit, [{ sku, name }]);
    const after = (await kit.send('GET', `/products/${id}`)).body.data.updated_at;
    same('updated and updated_at', [body.data.updated, after], [1, updated_at]);
  }),
  write(
    'POST /products/bulk_upsert',
    'A failing row does not stop the others: 207, with its index, sku and messages.',
    scopes,
    async (kit) => {
      const sku = kit.unique();
      removeSkus(kit, [sku]);
      const { status, body } = await upsert(kit, [
        { sku: kit.mark, price: 'x', name: 'x' },
        { sku, name: `Conformance ${sku}` },
      ]);
      same(
        'status, created and errors',
        [status, body?.data?.created_skus, body?.data?.errors],
        [207, [sku], [{ index: 0, sku: kit.mark, errors: ['Price is not a number'] }]],
      );
    },
  ),
  write('POST /products/bulk_upsert', 'A row with a blank sku fails as a row.', ['products:write'], async (kit) => {
    const { status, body } = await upsert(kit, [{ sku: ' ', name: 'x' }]);
    same('the answer', [status, body?.data?.errors], [207, [{ index: 0, sku: null, errors: ["Sku can't be blank"] }]]);
  }),
  write('POST /products/bulk_upsert', 'A row that is no object fails with a null sku.', ['products:write'], async (kit) => {
    const { status, body } = await upsert(kit, ['x']);
    same('status, index and sku', [status, body?.data?.errors?.[0]?.index, body?.data?.errors?.[0]?.sku], [207, 0, null]);
  }),
  write('POST /products/bulk_upsert', 'Skus are compared trimmed and case-sensitively.', scopes, async (kit) => {
    const { sku } = await newProduct(kit);
    const { body } = await upsert(kit, [{ sku: ` ${sku} `, description: 'x' }]);
    same('updated_skus', body.data.updated_skus, [sku]);
  }),
  write('POST /products/bulk_upsert', 'Only the fields that a row sends change; current_stock is ignored.', scopes, async (kit) => {
    const { id, sku, name } = await newProduct(kit);
    await upsert(kit, [{ sku, price: '7.25', current_stock: 9 }]);
    const { data } = (await kit.send('GET', `/products/${id}`)).body;
    same('name, price and stock', [data.name, data.price, data.current_stock], [name, '7.25', 0]);
  }),
  ...notRows.map(([title, products]) =>
    write(`POST /products/bulk_upsert with ${title}`, emptyRule, ['products:write'], async (kit) => {
      const answer = await upsert(kit, products);
      same('the answer', [answer.status, answer.body], [422, { error: 'products must be a non-empty array' }]);
    }),
  ),
  write(
    'POST /products/bulk_upsert',
    'More than 1,000 rows are 422 "at most 1000 products per request", and nothing is saved.',
    ['products:write'],
    async (kit) => {
      const answer = await upsert(
        kit,
        Array.from({ length: 1_001 }, () => ({ sku: ' ' })),
      );
      same('the answer', [answer.status, answer.body], [422, { error: 'at most 1000 products per request' }]);
    },
  ),
  write('PATCH /products/bulk_update', 'price sets the price: 200 with success, updated_count and message.', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    const { status, body } = await update(kit, [id], { price: '4.5' });
    same(
      'status, keys and count',
      [status, Object.keys(body?.data ?? {}), body?.data?.updated_count],
      [200, ['success', 'updated_count', 'message'], 1],
    );
    same('price', (await kit.send('GET', `/products/${id}`)).body.data.price, '4.50');
  }),
  write(
    'PATCH /products/bulk_update',
    'Stock changes are in the ledger: an increase as receive, a decrease as count.',
    [...scopes, 'inventory:read'],
    async (kit) => {
      const { id } = await newProduct(kit);
      await update(kit, [id], { current_stock: 5 });
      await update(kit, [id], { stock_adjustment: { type: 'subtract', amount: 2 } });
      const { data } = (await kit.send('GET', `/stock_adjustments?product_id=${id}`)).body;
      const rows = data.map((row: Record<string, unknown>) => [row.adjustment_type, row.quantity_change, row.quantity_after]);
      same('its rows', rows, [
        ['count', -2, 3],
        ['receive', 5, 5],
      ]);
    },
  ),
  write('PATCH /products/bulk_update', 'subtract never goes below zero.', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    await update(kit, [id], { stock_adjustment: { type: 'add', amount: 1.5 } });
    await update(kit, [id], { stock_adjustment: { type: 'subtract', amount: 99 } });
    same('current_stock', await stockOf(kit, id), 0);
  }),
  write('PATCH /products/bulk_update', 'current_stock is set before stock_adjustment is applied.', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    await update(kit, [id], { current_stock: 5, stock_adjustment: { type: 'add', amount: 2 } });
    same('current_stock', await stockOf(kit, id), 7);
  }),
  write('PATCH /products/bulk_update', 'Unknown ids are skipped, and "5" is 5.', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    const { body } = await update(kit, [String(id), id, 999_999_999, 'x'], { price: 2 });
    same('updated_count', body?.data?.updated_count, 1);
  }),
  ...noIds.map(([title, ids]) =>
    write(`PATCH /products/bulk_update with ${title}`, noIdsRule, ['products:write'], async (kit) => {
      const answer = await update(kit, ids, { price: 1 });
      same('status and error', [answer.status, answer.body?.error], [422, 'No products selected']);
    }),
  ),
  write('PATCH /products/bulk_update', 'Ids that match no product are 404 "No products found".', ['products:write'], async (kit) => {
    const answer = await update(kit, [999_999_999], { price: 1 });
    same('status and error', [answer.status, answer.body?.error], [404, 'No products found']);
  }),
  write('PATCH /products/bulk_update', 'Missing updates are 400; empty ones are 422 "No updates provided".', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    const [missing, empty] = [await update(kit, [id], undefined), await update(kit, [id], {})];
    same('statuses and error', [missing.status, empty.status, empty.body?.error], [400, 422, 'No updates provided']);
  }),
  ...badUpdates.map(([title, updates]) =>
    write(`PATCH /products/bulk_update with ${title}`, failedRule, scopes, async (kit) => {
      const { id, name } = await newProduct(kit);
      const { status, body } = await update(kit, [id], updates);
      same('status and keys', [status, Object.keys(body ?? {})], [422, ['success', 'updated_count', 'total_count', 'errors']]);
      same('the first error', [body.success, body.errors[0]?.id, body.errors[0]?.name], [false, id, name]);
      holds(body.errors[0].errors.length > 0, 'it has no message');
    }),
  ),
];
