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

/** Pages with the buttons that open a dialog there; of a store that is filled (filled-store.ts). */
export function panelDialogs(ofRecords: string[]): [path: string, button: string | RegExp][] {
  const at = (list: string) => {
    const found = ofRecords.find((path) => path.startsWith(`${list}/`) && /\d$/.test(path));
    if (found === undefined) throw new Error(`the store has nothing at ${list}`);
    return found;
  };
  const buttons: Record<string, (string | RegExp)[]> = {
    '/keys': ['Create a key', /^Revoke /],
    '/products': ['New product'],
    [at('/products')]: ['Adjust stock', 'Delete', 'Change', 'Add one'],
    '/categories': ['New category', /^Change /, /^Delete /],
    '/promotions': ['New promotion', /^Change /, /^Delete /],
    '/customers': ['New customer'],
    [at('/customers')]: ['Change', 'Merge', 'Archive', 'Correct', 'Issue or take'],
    [at('/sales')]: ['Void the sale'],
    '/gift-cards': ['Issue a card'],
    '/staff': ['Add a person', /^Change /],
    '/suppliers': ['New supplier', /^Change /, /^Archive /],
    '/stock': ['Move stock'],
    '/stock/locations': ['New location', /^Change /, /^Delete /],
    '/loyalty': ['New tier', 'New reward', /^Change /, /^Delete /],
    [at('/purchase-orders')]: ["Supplier's invoice", 'Change'],
    [at('/webhooks')]: ['Reveal secret', 'Rotate secret', 'Reset failures & re-enable'],
    '/register': ['Cash in or out', 'Count and close', /^Note on /],
  };
  return Object.entries(buttons).flatMap(([path, names]) => names.map((name): [string, string | RegExp] => [path, name]));
}
