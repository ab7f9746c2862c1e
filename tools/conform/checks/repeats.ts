/** Idempotency-Key and dry_run. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { newCustomer, newProduct, removeProduct, productScopes as scopes } from '../made.ts';
import { same } from '../outcome.ts';

const { write, staffWrite } = areaOf('repeats');

const countOf = async (kit: Kit, sku: string) => (await kit.send('GET', `/products?sku=${sku}`)).body.pagination.total_count;

const tried = (kit: Kit, method: string, path: string, body: object) => kit.send(method, `${path}?dry_run=true`, { body });

const dryRule = 'With dry_run=true the answer is that of the real request, with meta.dry_run and X-Dry-Run true, and nothing is kept.';

export const repeatChecks = [
  write(
    'Idempotency-Key',
    'The same key with the same request answers the stored answer again, with Idempotency-Replayed: true.',
    scopes,
    async (kit) => {
      const sku = kit.unique();
      const request = { headers: { 'Idempotency-Key': sku }, body: { product: { name: `Conformance ${sku}`, sku } } };
      const first = await kit.send('POST', '/products', request);
      removeProduct(kit, first.body.data.id, sku);
      const again = await kit.send('POST', '/products', request);
      same('status and data', [again.status, again.body.data], [first.status, first.body.data]);
      same('Idempotency-Replayed', again.headers.get('idempotency-replayed'), 'true');
      same('products with the sku', await countOf(kit, sku), 1);
    },
  ),
  write(
    'Idempotency-Key',
    'The same key with another request is 422 "Idempotency-Key was already used with another request".',
    scopes,
    async (kit) => {
      const { sku } = await newProduct(kit);
      const headers = { 'Idempotency-Key': kit.unique() };
      const send = (price: string) => kit.send('POST', '/products/bulk_upsert', { headers, body: { products: [{ sku, price }] } });
      await send('2.00');
      const { status, body } = await send('3.00');
      same('the answer', [status, body?.error], [422, 'Idempotency-Key was already used with another request']);
    },
  ),
  write('Idempotency-Key', 'Stock moves once however often the request is repeated.', [...scopes, 'inventory:write'], async (kit) => {
    const { id } = await newProduct(kit);
    const request = {
      headers: { 'Idempotency-Key': kit.unique() },
      body: { product_id: id, adjustment_type: 'receive', quantity_change: 2 },
    };
    for (let n = 0; n < 3; n++) await kit.send('POST', '/stock_adjustments', request);
    same('current_stock', (await kit.send('GET', `/products/${id}`)).body.data.current_stock, 2);
  }),
  staffWrite('Idempotency-Key', 'The same Idempotency-Key from another API key is another one.', scopes, async (kit) => {
    const headers = { 'Idempotency-Key': kit.unique() };
    const { sku } = await newProduct(kit);
    const request = { headers, body: { products: [{ sku, price: '2.00' }] } };
    await kit.send('POST', '/products/bulk_upsert', request);
    const { key } = await kit.staff.key(kit, { scopes });
    const other = await kit.send('POST', '/products/bulk_upsert', { ...request, key });
    same('status and replayed', [other.status, other.headers.get('idempotency-replayed')], [200, null]);
  }),
  write('POST /products?dry_run=true', dryRule, scopes, async (kit) => {
    const sku = kit.unique();
    const answer = await tried(kit, 'POST', '/products', { product: { name: 'Conformance', sku, price: '1' } });
    if (answer.body?.meta?.dry_run !== true && answer.body?.data?.id) removeProduct(kit, answer.body.data.id, sku);
    same(
      'status, meta.dry_run and X-Dry-Run',
      [answer.status, answer.body?.meta?.dry_run, answer.headers.get('x-dry-run')],
      [201, true, 'true'],
    );
    same('products with the sku', await countOf(kit, sku), 0);
  }),
  write('POST /products/bulk_upsert?dry_run=true', dryRule, scopes, async (kit) => {
    const { id, sku } = await newProduct(kit);
    const answer = await tried(kit, 'POST', '/products/bulk_upsert', { products: [{ sku, price: '9.99' }] });
    same('status, updated and meta.dry_run', [answer.status, answer.body.data.updated, answer.body.meta.dry_run], [200, 1, true]);
    same('price', (await kit.send('GET', `/products/${id}`)).body.data.price, '1.00');
  }),
  write('PATCH /products/bulk_update?dry_run=true', dryRule, scopes, async (kit) => {
    const { id } = await newProduct(kit);
    const answer = await tried(kit, 'PATCH', '/products/bulk_update', { product_ids: [id], updates: { current_stock: 5, price: '9.99' } });
    const { data } = (await kit.send('GET', `/products/${id}`)).body;
    same('status, price and stock', [answer.status, data.price, data.current_stock], [200, '1.00', 0]);
  }),
  write('POST /stock_adjustments?dry_run=true', dryRule, [...scopes, 'inventory:write'], async (kit) => {
    const { id } = await newProduct(kit);
    const answer = await tried(kit, 'POST', '/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: 5 });
    same('status and quantity_after', [answer.status, answer.body.data.quantity_after], [201, 5]);
    same('current_stock', (await kit.send('GET', `/products/${id}`)).body.data.current_stock, 0);
  }),
  write('POST /customers?dry_run=true', dryRule, ['customers:read', 'customers:write'], async (kit) => {
    const email = `${kit.unique()}@conform.example`;
    const answer = await tried(kit, 'POST', '/customers', { customer: { name: 'Conformance', email } });
    same('status and meta.dry_run', [answer.status, answer.body?.meta?.dry_run], [201, true]);
    same('customers with the e-mail', (await kit.send('GET', `/customers?q=${email}`)).body.data, []);
  }),
  staffWrite('PATCH /customers/:id?dry_run=true', dryRule, ['customers:read', 'customers:write'], async (kit) => {
    const { id, name } = await newCustomer(kit);
    const answer = await tried(kit, 'PATCH', `/customers/${id}`, { customer: { name: 'Conformance tried' } });
    same('status and name', [answer.status, answer.body.data.name], [200, 'Conformance tried']);
    same('name then', (await kit.send('GET', `/customers/${id}`)).body.data.name, name);
  }),
  write(
    'POST /webhook_subscriptions?dry_run=true',
    'A tried subscription has no secret and is not kept.',
    ['webhooks:manage'],
    async (kit) => {
      const subscription = { url: kit.webhookUrl, events: ['sale.voided'] };
      const before = (await kit.send('GET', '/webhook_subscriptions')).body.data.length;
      const { status, body } = await tried(kit, 'POST', '/webhook_subscriptions', { webhook_subscription: subscription });
      const after = (await kit.send('GET', '/webhook_subscriptions')).body.data.length;
      same('status, secret and subscriptions', [status, 'secret' in body.data, after], [201, false, before]);
    },
  ),
  write('POST /products?dry_run=true', 'A dry run is refused like the real request.', ['products:write'], async (kit) => {
    const { status, body } = await tried(kit, 'POST', '/products', { product: { name: '' } });
    same('the answer', [status, body?.errors], [422, { name: ["can't be blank"] }]);
  }),
];
