/** A store that has at least one record of everything that keys can read. */
import type { World } from '../kit/world.ts';

export async function fillStore(world: World): Promise<void> {
  const staff = (path: string, body: object) => world.staff('POST', path, body);
  const { brand } = await staff('/brands', { brand: { name: 'Lumen', description: 'Lamps' } });
  const { category: garden } = await staff('/categories', { category: { name: 'Garden' } });
  const { category } = await staff('/categories', { category: { name: 'Lanterns', parent_id: garden.id } });
  const product = async (fields: object) => (await staff('/products', { product: { price: '3.39', ...fields } })).product;
  const lantern = await product({
    name: 'Lantern',
    sku: 'L-1',
    barcode: '5012345678900',
    cost: '1.25',
    brand_id: brand.id,
    category_ids: [category.id],
    additional_barcodes: [{ code: '5012345678917', label: 'Case' }],
  });
  const basket = await product({ name: 'Basket', sku: 'B-1' });
  await product({ name: 'apron' });
  const family = await product({ name: 'Candle', product_type: 'variable' });
  const candle = await product({
    name: 'Candle, large',
    sku: 'C-1',
    product_type: 'variation',
    parent_id: family.id,
    option_label: 'Large',
  });
  await staff('/promotions', { promotion: { name: 'Spring', discount_type: 'percentage', value: '10', product_ids: [basket.id] } });
  for (const [product_id, quantity_change] of [
    [lantern.id, 24],
    [basket.id, 4.5],
    [candle.id, 6],
    [lantern.id, -2],
  ])
    await staff('/stock_adjustments', { product_id, adjustment_type: 'receive', quantity_change });
  await staff('/loyalty_tiers', { loyalty_tier: { name: 'Base', level: 1 } });
  await staff('/loyalty_tiers', { loyalty_tier: { name: 'Gold', level: 2, minimum_lifetime_spend: 500 } });
  for (const points_required of [50, 20])
    await staff('/loyalty_rewards', {
      loyalty_reward: { name: `${points_required} points`, reward_type: 'discount', points_required, discount_amount: '5' },
    });
  const { customer } = await staff('/customers', {
    customer: {
      name: 'Maya Lee',
      email: 'maya@example.com',
      phone: '+44 20 7946 0018',
      loyalty_card_number: 'LC-1',
      address: { line1: '1 High Street' },
    },
  });
  await staff(`/customers/${customer.id}/store_credit`, { store_credit: { transaction_type: 'issue', amount: '12.50' } });
  const { sale } = await staff('/sales', { sale: { customer_id: customer.id, line_items: [{ product_id: lantern.id, quantity: 2 }] } });
  await staff('/sales', { sale: { line_items: [{ product_id: basket.id, quantity: 1 }], status: 'pending' } });
  await world.staff('PATCH', `/sales/${sale.id}`, { sale: { status: 'voided', void_reason: 'Wrong item' } });
  await staff('/sales', { sale: { customer_id: customer.id, line_items: [{ product_id: basket.id, quantity: 1 }] } });
  await staff('/gift_cards', { gift_card: { card_number: 'GC-7F3K-92QD', amount: 25 } });
  const { supplier } = await staff('/suppliers', { supplier: { name: 'Lantern Works', email: 'orders@lantern.example' } });
  const order = (line_items: object[]) => staff('/purchase_orders', { purchase_order: { supplier_id: supplier.id, line_items } });
  await order([{ product_id: lantern.id, quantity_ordered: 10, unit_price: '2.00' }]);
  const { purchase_order } = await order([{ product_id: basket.id, quantity_ordered: 4, unit_price: '2.00' }]);
  const [line] = purchase_order.line_items;
  await staff(`/purchase_orders/${purchase_order.id}/receive`, { line_items: [{ id: line.id, quantity_received: 3 }], complete: true });
  await staff(`/purchase_orders/${purchase_order.id}/invoice`, {
    line_items: [{ id: line.id, quantity_invoiced: 4, unit_cost_invoiced: '2.20' }],
  });
  await world.settled();
}
