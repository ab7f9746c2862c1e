/** A few rows of each kind, so that random small ids find existing rows. */
import { succeed } from '../kit/http.ts';

const productCount = 12;

export async function fill(api: string, session: string): Promise<void> {
  const make = (path: string, body: unknown) => succeed('POST', `${api}${path}`, { token: session, body });
  for (const name of ['Acme', 'Bonsai']) await make('/brands', { brand: { name, description: `${name} of old` } });
  await make('/categories', { category: { name: 'Garden', store_type: 'general' } });
  await make('/categories', { category: { name: 'Pots', parent_id: 1 } });
  await make('/revenue_centers', { revenue_center: { name: 'Shop' } });
  await make('/warehouse_locations', { warehouse_location: { name: 'Floor', kind: 'floor' } });
  await make('/warehouse_locations', { warehouse_location: { name: 'Back', kind: 'back' } });
  for (let number = 1; number <= productCount; number++) {
    await make('/products', {
      product: {
        name: `Pot ${number}`,
        sku: `POT-${number}`,
        price: `${number}.50`,
        cost: '1.25',
        brand_id: 1,
        category_ids: [2],
        additional_barcodes: [{ code: `400000000000${number}`, label: 'Old' }],
        ...(number > productCount - 2 && { parent_id: 1, option_label: `Size ${number}` }),
      },
    });
  }
  await make('/promotions', { promotion: { name: 'Spring', discount_type: 'percentage', value: '10', product_ids: [2, 3] } });
  for (const [product, quantity] of [
    [2, '10'],
    [3, '4.5'],
  ])
    await make('/stock_adjustments', { product_id: product, adjustment_type: 'receive', quantity_change: quantity });
}
