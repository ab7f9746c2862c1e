/** Records that a check makes for itself; they are removed when the run ends. */

import type { Kit } from './kit.ts';
import { Failure, Skip } from './outcome.ts';

export interface MadeProduct {
  id: number;
  name: string;
  sku: string;
  price: string;
  updated_at: string;
  current_stock: number;
}

export const productScopes = ['products:read', 'products:write'];
export const customerScopes = ['customers:read', 'customers:write'];

export async function newProduct(kit: Kit, fields: object = {}): Promise<MadeProduct> {
  const sku = kit.unique();
  const answer = await kit.send('POST', '/products', { body: { product: { name: `Conformance ${sku}`, sku, price: '1.00', ...fields } } });
  if (answer.status !== 201) throw new Failure(`POST /products answered ${answer.status} ${answer.text}`);
  removeProduct(kit, answer.body.data.id, sku);
  return answer.body.data;
}

/** With a staff login it is deleted; a key can only deactivate it. */
export function removeProduct(kit: Kit, id: number, sku: string): void {
  kit.cleanUp(`product ${id} (${sku})`, async () => {
    const answer = kit.hasStaff
      ? await kit.staff.send('DELETE', `/products/${id}`)
      : await kit.send('POST', '/products/bulk_upsert', { body: { products: [{ sku, active: false }] } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  });
}

/** Removes what bulk_upsert made. */
export function removeSkus(kit: Kit, skus: string[]): void {
  kit.cleanUp(`products with the skus ${skus.join(', ')}`, async () => {
    const { body } = await kit.send('GET', `/products?per_page=100&sku=${skus.map(encodeURIComponent).join()}`);
    for (const { id, sku } of body.data) removeProduct(kit, id, sku);
    const left = await kit.removeAll();
    if (left.length > 0) throw new Error(left.join('; '));
  });
}

/** Only staff can archive a customer, so none is made without them. */
// biome-ignore lint/suspicious/noExplicitAny: a check reads bodies as a client does, without types.
export async function newCustomer(kit: Kit, fields: object = {}): Promise<any> {
  if (!kit.hasStaff) throw new Skip('only staff can archive the customer that it makes (--staff)');
  const answer = await kit.send('POST', '/customers', { body: { customer: { name: `Conformance ${kit.unique()}`, ...fields } } });
  if (answer.status !== 201) throw new Failure(`POST /customers answered ${answer.status} ${answer.text}`);
  removeCustomer(kit, answer.body.data.id);
  return answer.body.data;
}

export function removeCustomer(kit: Kit, id: number): void {
  kit.cleanUp(`customer ${id}`, async () => {
    const answer = await kit.staff.send('DELETE', `/customers/${id}`);
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`${answer.status} ${answer.text}`);
  });
}
