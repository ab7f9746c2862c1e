/** What each verb that writes is sent: the records that it needs are made before. */

export interface Prepared {
  path?: string;
  body: object;
  /** Who sends it, if not the store's admin: another member of staff, or an API key. */
  token?: string;
  key?: string;
}

/** Sends a request of the store's admin, or of that key: POST, if nothing else is said. One member of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: a body is read as a client does.
export type Make = (path: string, body?: object, how?: How) => Promise<any>;

export interface How {
  method?: string;
  key?: string;
  /** Of the answer, what is wanted; if not the first one. */
  member?: string;
}

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

/** It does not run yet: the background announces what runs. */
const promotion = async (make: Make) => {
  const what = { product_ids: [(await product(make)).id], starts_at: '2099-01-01T00:00:00Z' };
  return { promotion: { name: fresh(), discount_type: 'percentage', value: '10.00', ...what } };
};
let levels = 0;
/** Nobody reaches it. */
const tier = () => ({ loyalty_tier: { name: fresh(), level: ++levels, minimum_lifetime_spend: '999999.00' } });
const reward = () => ({ loyalty_reward: { name: fresh(), reward_type: 'discount', discount_amount: '5.00', points_required: 500 } });
const location = (make: Make) => make('/warehouse_locations', { warehouse_location: { name: fresh(), kind: 'back' } });
/** The admin has one open drawer at most. */
const openDrawers = (make: Make) => make('/cash_drawer_sessions?status=open', undefined, { method: 'GET' });
const drawer = async (make: Make) => (await openDrawers(make))[0] ?? make('/cash_drawer_sessions', { opening_float: '50.00' });
const password = 'nine lanterns over the harbour';
const user = (make: Make) =>
  make('/staff_users', { staff_user: { name: fresh(), email: `${fresh()}@cuts.example`, password, role: 'clerk' } });
/** The token of a new member of staff. */
const tokenOf = async (make: Make): Promise<string> => make('/staff_sessions', { email: (await user(make)).email, password });
let subscriber = '';
/** A key, which may have 25 subscriptions, has none. */
const keyWithout = async (make: Make): Promise<string> => {
  subscriber ||= await make('/api_keys', { api_key: { name: fresh(), scopes: ['webhooks:manage'], rate_limit: 1000 } }, { member: 'key' });
  const key = subscriber;
  for (const { id } of await make('/webhook_subscriptions', undefined, { method: 'GET', key }))
    await make(`/webhook_subscriptions/${id}`, undefined, { method: 'DELETE', key });
  return key;
};
const subscription = () => ({ webhook_subscription: { url: `https://93.184.215.14/${fresh()}`, events: ['product.updated'] } });
const subscribed = async (make: Make) => {
  const key = await keyWithout(make);
  return { id: (await make('/webhook_subscriptions', subscription(), { key })).id as number, key };
};

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
  'POST /products/{id}/restore': async (make) => {
    const { id } = await product(make);
    await make(`/products/${id}`, undefined, { method: 'DELETE' });
    return { path: `/products/${id}/restore`, body: {} };
  },
  'POST /promotions': async (make) => ({ body: await promotion(make) }),
  'PATCH /promotions/{id}': on('/promotions', async (make) => make('/promotions', await promotion(make)), '', {
    promotion: { value: '20.00' },
  }),
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
  'POST /customers/{id}/restore': async (make) => {
    const { id } = await customer(make);
    await make(`/customers/${id}`, undefined, { method: 'DELETE' });
    return { path: `/customers/${id}/restore`, body: {} };
  },
  'POST /loyalty_tiers': async () => ({ body: tier() }),
  'PATCH /loyalty_tiers/{id}': on('/loyalty_tiers', (make) => make('/loyalty_tiers', tier()), '', {
    loyalty_tier: { minimum_lifetime_spend: '888888.00' },
  }),
  'POST /loyalty_rewards': async () => ({ body: reward() }),
  'PATCH /loyalty_rewards/{id}': on('/loyalty_rewards', (make) => make('/loyalty_rewards', reward()), '', {
    loyalty_reward: { points_required: 400 },
  }),
  'PATCH /settings': async () => ({ body: { settings: { opening_float: `${++number}.00` } } }),
  'POST /api_keys': async () => ({ body: { api_key: { name: fresh(), scopes: ['products:read'] } } }),
  'POST /staff_users': async () => ({
    body: { staff_user: { name: fresh(), email: `${fresh()}@cuts.example`, role: 'clerk' }, invite: true },
  }),
  'PATCH /staff_users/{id}': on('/staff_users', user, '', { staff_user: { role: 'manager' } }),
  'POST /staff_users/{id}/invite': on('/staff_users', user, '/invite', {}),
  'PATCH /staff_users/me': async (make) => ({
    token: await tokenOf(make),
    body: { staff_user: { current_password: password, password: `${password} again` } },
  }),
  'POST /staff_users/me/second_factor': async (make) => ({ token: await tokenOf(make), body: {} }),
  'POST /stock_adjustments': async (make) => ({
    body: { product_id: (await product(make)).id, adjustment_type: 'receive', quantity_change: 3 },
  }),
  'PATCH /products/bulk_update': async (make) => ({
    body: { product_ids: [(await product(make)).id], updates: { price: '2.00', stock_adjustment: { type: 'add', amount: 2 } } },
  }),
  ...named('/warehouse_locations', 'warehouse_location', { kind: 'back' }),
  'POST /stock_transfers': async (make) => {
    const stock_transfer = { product_id: (await product(make)).id, quantity: 2 };
    const [from, to] = [await location(make), await location(make)];
    return { body: { stock_transfer: { ...stock_transfer, from_location_id: from.id, to_location_id: to.id } } };
  },
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
  'PATCH /purchase_orders/{id}/lines/{line_id}': async (make) => {
    const { id, line_items } = await order(make);
    return { path: `/purchase_orders/${id}/lines/${line_items[0].id}`, body: { line_item: { quantity_received: 2 } } };
  },
  ...named('/suppliers', 'supplier'),
  'POST /gift_cards': async () => ({ body: { gift_card: { amount: '5.00' } } }),
  'POST /gift_cards/{id}/redeem': on('/gift_cards', card, '/redeem', { amount: '5.00' }),
  'POST /gift_cards/{id}/hold': on('/gift_cards', card, '/hold', { amount: '5.00' }),
  'POST /gift_cards/{id}/adjust': on('/gift_cards', card, '/adjust', { amount: -5, reason: 'Redeemed by mistake' }),
  'PATCH /gift_cards/{id}': on('/gift_cards', card, '', { gift_card: { expires_at: '2099-12-31T23:59:59Z' } }),
  'POST /gift_cards/{id}/cancel': on('/gift_cards', card, '/cancel', {}),
  'POST /sales': async (make) => ({ body: { sale: await paidSale(make) } }),
  'PATCH /sales/{id}': async (make) => {
    const { id } = await make('/sales', { sale: { ...(await paidSale(make)), status: 'pending' } });
    return { path: `/sales/${id}`, body: { sale: { status: 'completed' } } };
  },
  'POST /cash_drawer_sessions': async (make) => {
    for (const { id } of await openDrawers(make)) await make(`/cash_drawer_sessions/${id}/close`, { counted: '50.00' });
    return { body: { opening_float: '50.00' } };
  },
  'POST /cash_drawer_sessions/{id}/movements': on('/cash_drawer_sessions', drawer, '/movements', { amount: -1.5, reason: 'Milk' }),
  'POST /cash_drawer_sessions/{id}/close': on('/cash_drawer_sessions', drawer, '/close', { counted: '50.00' }),
  'POST /webhook_subscriptions': async (make) => ({ key: await keyWithout(make), body: subscription() }),
  'PATCH /webhook_subscriptions/{id}': async (make) => {
    const { id, key } = await subscribed(make);
    return { key, path: `/webhook_subscriptions/${id}`, body: { webhook_subscription: { active: false } } };
  },
  'POST /webhook_monitor/{id}/reset': on('/webhook_monitor', subscribed, '/reset', {}),
  'POST /webhook_monitor/{id}/rotate_secret': on('/webhook_monitor', subscribed, '/rotate_secret', {}),
};

/** Not cut, and why. */
export const notCut: Record<string, string> = {
  'POST /staff_sessions': 'Nobody has logged in yet: no key is kept.',
  'POST /staff_users/accept_invite': 'Nobody has logged in yet: no key is kept.',
  'POST /staff_sessions/confirm': 'It sets a time, as often as it is sent.',
  'POST /staff_users/me/second_factor/confirm': 'Its code is of half a minute; the gateway’s second-factor.test repeats it under its key.',
  'POST /webhook_subscriptions/{id}/test': 'It writes nothing.',
  'POST /webhook_subscriptions/{id}/replay': 'No event reaches the log here; replays.test of webhooks repeats it under its key.',
  'POST /webhook_monitor/{id}/replay': 'As that of a key, by the same verb.',
  'POST /webhook_monitor/deliveries/{id}/resend': 'Nothing was delivered here.',
  'POST /webhook_monitor/{id}/reveal_secret': 'It changes nothing but the audit trail.',
};
