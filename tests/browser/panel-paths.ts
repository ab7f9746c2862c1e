/** Every page of the panel, those of one record with the newest record there is. */

// biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
type Call = (path: string) => Promise<any>;

export async function panelPaths(call: Call): Promise<string[]> {
  const idOf = async (path: string, name: string) => (await call(path))[name]?.[0]?.id as number | undefined;
  const [product, customer, sale, order, subscription, entries] = await Promise.all([
    idOf('/products?per_page=1', 'products'),
    idOf('/customers?per_page=1', 'customers'),
    idOf('/sales?per_page=1&period=month', 'sales'),
    idOf('/purchase_orders?per_page=1', 'purchase_orders'),
    idOf('/webhook_monitor', 'webhook_subscriptions'),
    call('/audit_entries?per_page=20'),
  ]);
  const records: [string, string | number | undefined][] = [
    ['/products', product],
    ['/customers', customer],
    ['/sales', sale],
    ['/purchase-orders', order],
    ['/webhooks', subscription],
    // What the services do by themselves has no request.
    ['/requests', entries.audit_entries?.find(({ request_id: id }: { request_id: string }) => id !== 'system')?.request_id],
  ];
  const ofRecords = records.filter(([, id]) => id !== undefined).map(([path, id]) => `${path}/${id}`);
  const lists = ['/', '/register', '/sales', '/day', '/customers', '/gift-cards', '/products', '/categories', '/promotions', '/stock'];
  return [
    ...lists,
    '/purchase-orders',
    '/purchase-orders/new',
    '/suppliers',
    '/stock/count',
    '/stock/locations',
    '/loyalty',
    '/keys',
    '/webhooks',
    '/requests',
    '/audit',
    '/settings',
    '/staff',
    '/account',
    ...ofRecords,
  ];
}

/** A page and the button that opens a dialog on it. */
export function panelDialogs(productId: number): [path: string, action: string][] {
  return [
    ['/keys', 'Create a key'],
    ['/products', 'New product'],
    [`/products/${productId}`, 'Adjust stock'],
    [`/products/${productId}`, 'Delete'],
    ['/customers', 'New customer'],
    ['/categories', 'New category'],
    ['/promotions', 'New promotion'],
    ['/gift-cards', 'Issue a card'],
    ['/staff', 'Add a person'],
    ['/suppliers', 'New supplier'],
    ['/loyalty', 'New reward'],
  ];
}
