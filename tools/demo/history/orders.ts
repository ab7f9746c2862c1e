/** Purchase orders in every state, with every variance (D161). */
import type { Client } from '../client.ts';
import { type Listed, madeOnce } from '../upkeep.ts';

interface Order {
  id: number;
  line_items: { id: number; quantity_ordered: number }[];
}

const suppliers = [{ name: 'Lantern Works' }, { name: 'Paper & Ribbon Co.' }];

export async function loadOrders({ staff, products }: { staff: Client; products: Listed[] }): Promise<void> {
  const supplierIds = await madeOnce(staff, 'supplier', suppliers);
  const make = async (name: string, supplier: number, first: number): Promise<Order> => {
    const line_items = [0, 1, 2].map((offset) => ({
      product_id: products[first + offset]!.id,
      quantity_ordered: 12 * (offset + 1),
      unit_price: `${offset + 1}.25`,
    }));
    const purchase_order = { supplier_id: supplierIds[supplier], shipping_cost: '9.00', line_items };
    return (await staff.post<{ purchase_order: Order }>('/purchase_orders', { purchase_order }, `demo-order-${name}`)).purchase_order;
  };
  const move = (order: Order, status: string) => staff.patch(`/purchase_orders/${order.id}`, { purchase_order: { status } });
  const receive = (order: Order, name: string, quantities: number[], more: object = {}) => {
    const lines = quantities.map((quantity_received, index) => ({ id: order.line_items[index]!.id, quantity_received }));
    const line_items = lines.filter(({ quantity_received }) => quantity_received > 0);
    return staff.post(`/purchase_orders/${order.id}/receive`, { line_items, ...more }, `demo-receive-${name}`);
  };
  await make('pending', 0, 0);
  await move(await make('confirmed', 0, 1), 'confirmed');
  await move(await make('shipped', 1, 2), 'shipped');
  await receive(await make('partly', 1, 3), 'partly', [12, 6, 0]);
  const exact = await make('received', 0, 4);
  await receive(
    exact,
    'received',
    exact.line_items.map(({ quantity_ordered }) => quantity_ordered),
  );
  await move(await make('cancelled', 1, 5), 'cancelled');
  const uneven = await make('variance', 0, 6);
  const billed = uneven.line_items.map(({ id, quantity_ordered }) => ({
    id,
    quantity_invoiced: quantity_ordered,
    unit_cost_invoiced: '1.40',
  }));
  await staff.post(`/purchase_orders/${uneven.id}/invoice`, { line_items: billed }, 'demo-invoice-variance');
  const unexpected = { product_id: products[9]!.id, quantity_received: 6 };
  const lines = [
    { id: uneven.line_items[0]!.id, quantity_received: 10 },
    { id: uneven.line_items[1]!.id, quantity_received: 30 },
    unexpected,
  ];
  await staff.post(`/purchase_orders/${uneven.id}/receive`, { line_items: lines, complete: true }, 'demo-receive-variance');
}
