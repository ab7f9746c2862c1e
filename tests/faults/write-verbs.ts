/** What each verb that writes is sent: the records that it needs are made before. */

export interface Prepared {
  path?: string;
  body: object;
}

/** Makes a record by staff; the answer's only member. */
// biome-ignore lint/suspicious/noExplicitAny: a body is read as a client does.
export type Make = (path: string, body: object) => Promise<any>;

let number = 0;
const fresh = (): string => `cut-${++number}`;
const product = (make: Make) => make('/products', { product: { name: fresh(), sku: fresh(), price: '4.00' } });
const customer = async (make: Make) => {
  const created = await make('/customers', { customer: { name: fresh() } });
  await make(`/customers/${created.id}/store_credit`, { store_credit: { amount: '20.00', transaction_type: 'issue' } });
  await make(`/customers/${created.id}/loyalty/earn`, { points: 100 });
  return created;
};
const card = (make: Make) => make('/gift_cards', { gift_card: { card_number: fresh().toUpperCase(), amount: '20.00' } });
const line = async (make: Make) => ({ product_id: (await product(make)).id, quantity: 1, unit_price: '4.00' });
const order = async (make: Make) => {
  const line_items = [{ product_id: (await product(make)).id, quantity_ordered: 6, unit_price: '1.00' }];
  return make('/purchase_orders', { purchase_order: { line_items } });
};
/** A sale with every tender that another record pays. */
const paidSale = async (make: Make) => ({
  receipt_number: fresh(),
  customer_id: (await customer(make)).id,
  line_items: [await line(make)],
  payments: [
    { method: 'store_credit', amount: '1.00' },
    { method: 'gift_card', amount: '1.00', card_number: (await card(make)).card_number },
    { method: 'cash', amount: '2.00' },
  ],
});
const named = (path: string, member: string, more: object = {}) => ({
  [`POST ${path}`]: async () => ({ body: { [member]: { name: fresh(), ...more } } }),
  [`PATCH ${path}/{id}`]: async (make: Make) => {
    const { id } = await make(path, { [member]: { name: fresh(), ...more } });
    return { path: `${path}/${id}`, body: { [member]: { name: fresh() } } };
  },
});
/** Of a record that is made for it. */
const on = (path: string, kind: (make: Make) => Promise<{ id: number }>, after: string, body: object) => async (make: Make) => ({
  path: `${path}/${(await kind(make)).id}${after}`,
  body,
});

/** By method and path, as the contract has them. */
export const writeVerbs: Record<string, (make: Make) => Promise<Prepared>> = {
  'POST /products': async () => ({ body: { product: { name: fresh() } } }),
  'POST /products/bulk_upsert': async (make) => ({
    body: {
      products: [
        { sku: (await product(make)).sku, name: fresh() },
        { sku: fresh(), name: fresh() },
      ],
    },
  }),
  'PATCH /products/{id}': on('/products', product, '', { product: { price: '9.00' } }),
  ...named('/categories', 'category'),
  ...named('/brands', 'brand'),
  ...named('/revenue_centers', 'revenue_center'),
  'POST /customers': async () => ({ body: { customer: { name: fresh(), email: `${fresh()}@cuts.example` } } }),
  'PATCH /customers/{id}': on('/customers', customer, '', { customer: { notes: 'Likes tea' } }),
  'POST /customers/{id}/loyalty/earn': on('/customers', customer, '/loyalty/earn', { points: 5 }),
  'POST /customers/{id}/loyalty/adjust': on('/customers', customer, '/loyalty/adjust', { points: -5, reason: 'Counted again' }),
  'POST /customers/{id}/loyalty/redeem': async (make) => {
    const { id } = await customer(make);
    const loyalty_reward = { name: fresh(), reward_type: 'store_credit', store_credit_amount: '1.00', points_required: 5 };
    return { path: `/customers/${id}/loyalty/redeem`, body: { reward_id: (await make('/loyalty_rewards', { loyalty_reward })).id } };
  },
  'POST /customers/{id}/store_credit': on('/customers', customer, '/store_credit', {
    store_credit: { amount: '3.00', transaction_type: 'issue' },
  }),
  'POST /customers/{id}/merge': async (make) => {
    const [kept, other] = [await customer(make), await customer(make)];
    return { path: `/customers/${kept.id}/merge`, body: { customer_id: other.id } };
  },
  'PATCH /settings': async () => ({ body: { settings: { opening_float: `${++number}.00` } } }),
  'POST /api_keys': async () => ({ body: { api_key: { name: fresh(), scopes: ['products:read'] } } }),
  'POST /stock_adjustments': async (make) => ({
    body: { product_id: (await product(make)).id, adjustment_type: 'receive', quantity_change: 3 },
  }),
  'PATCH /products/bulk_update': async (make) => ({
    body: { product_ids: [(await product(make)).id], updates: { price: '2.00', stock_adjustment: { type: 'add', amount: 2 } } },
  }),
  ...named('/warehouse_locations', 'warehouse_location', { kind: 'back' }),
  'POST /stock_reconciliations': async (make) => ({
    body: { stock_reconciliation: { lines: [{ product_id: (await product(make)).id, counted_quantity: 7 }] } },
  }),
  'POST /purchase_orders': async (make) => ({
    body: { purchase_order: { line_items: [{ product_id: (await product(make)).id, quantity_ordered: 6, unit_price: '1.00' }] } },
  }),
  'PATCH /purchase_orders/{id}': on('/purchase_orders', order, '', { purchase_order: { status: 'shipped' } }),
  'POST /purchase_orders/{id}/receive': async (make) => {
    const created = await order(make);
    const received = [{ id: created.line_items[0].id, quantity_received: 6 }];
    return { path: `/purchase_orders/${created.id}/receive`, body: { line_items: received } };
  },
  'POST /purchase_orders/{id}/invoice': async (make) => {
    const created = await order(make);
    const billed = [{ id: created.line_items[0].id, quantity_invoiced: 6, unit_cost_invoiced: '1.10' }];
    return { path: `/purchase_orders/${created.id}/invoice`, body: { line_items: billed } };
  },
  ...named('/suppliers', 'supplier'),
  'POST /gift_cards': async () => ({ body: { gift_card: { amount: '5.00' } } }),
  'POST /gift_cards/{id}/redeem': on('/gift_cards', card, '/redeem', { amount: '5.00' }),
  'POST /gift_cards/{id}/hold': on('/gift_cards', card, '/hold', { amount: '5.00' }),
  'POST /gift_cards/{id}/cancel': on('/gift_cards', card, '/cancel', {}),
  'POST /sales': async (make) => ({ body: { sale: await paidSale(make) } }),
  'PATCH /sales/{id}': async (make) => {
    const { id } = await make('/sales', { sale: { ...(await paidSale(make)), status: 'pending' } });
    return { path: `/sales/${id}`, body: { sale: { status: 'completed' } } };
  },
};
