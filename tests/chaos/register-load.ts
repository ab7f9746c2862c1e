/** What staff do during faults: sell with every tender, park, complete and void, order and receive. */
import type { Random } from '../../tools/local/random.ts';
import type { Plan, Product } from './load.ts';

/** Customers, and the cards that they pay with; each has more than a run can spend. */
export interface Regulars {
  customers: number[];
  cards: string[];
}

interface Sold {
  sale: { id: number };
}

interface Ordered {
  purchase_order: { id: number; line_items: { id: number }[] };
}

const post = (path: string, body: object, more: Partial<Plan> = {}): Plan => ({
  method: 'POST',
  path,
  body,
  marks: [],
  byStaff: true,
  ...more,
});
const patchSale = (id: number, sale: object, marks: string[], followUp?: Plan['followUp']): Plan => ({
  method: 'PATCH',
  path: `/sales/${id}`,
  body: { sale },
  marks,
  byStaff: true,
  ...(followUp && { followUp }),
});

/** One thing that happens at the register or at the back door; `mark` is unique. */
export function planRegister(random: Random, mark: string, products: Product[], regulars: Regulars): Plan {
  const kind = random.next();
  if (kind < 0.2) return receive(random, products);
  const isParked = random.next() < 0.4;
  const isVoided = random.next() < 0.4;
  const sale = { ...saleOf(random, products, regulars), receipt_number: mark, ...(isParked && { status: 'pending' }) };
  const voided: Plan['followUp'] = (answer) => {
    const { id } = (answer as Sold).sale;
    return patchSale(id, { status: 'voided', void_reason: `void of ${mark}` }, [`void of ${mark}`]);
  };
  if (!isParked) return post('/sales', { sale }, { marks: [mark], ...(isVoided && { followUp: voided }) });
  const completed: Plan['followUp'] = (answer) =>
    patchSale((answer as Sold).sale.id, { status: 'completed' }, [`completed ${mark}`], isVoided ? voided : undefined);
  return post('/sales', { sale }, { followUp: random.next() < 0.8 ? completed : voided });
}

/** One to three lines at a price of their own, so that the total is known before; a third of it may be a gift card or credit. */
function saleOf(random: Random, products: Product[], { customers, cards }: Regulars): object {
  const line_items = Array.from({ length: random.between(1, 3) }, () => ({
    product_id: random.pick(products).id,
    quantity: random.between(1, 3),
    unit_price: '1.00',
  }));
  const total = line_items.reduce((sum, { quantity }) => sum + quantity, 0);
  const customer = { customer_id: random.pick(customers) };
  const tender = random.next();
  const cash = { method: 'cash', amount: (total - 0.5).toFixed(2) };
  if (tender < 0.25) return { line_items, ...customer, payments: [{ method: 'store_credit', amount: '0.50' }, cash] };
  if (tender < 0.5)
    return { line_items, ...customer, payments: [{ method: 'gift_card', amount: '0.50', card_number: random.pick(cards) }, cash] };
  return { line_items, ...(tender < 0.8 && customer), payment_method: 'cash' };
}

/** An order of two lines that arrives, in one part or in two. */
function receive(random: Random, products: Product[]): Plan {
  const line_items = [0, 1].map(() => ({
    product_id: random.pick(products).id,
    quantity_ordered: 6,
    unit_price: `${random.between(1, 9)}.00`,
  }));
  const all = (quantity: number) => (answer: unknown) => {
    const { id, line_items: lines } = (answer as Ordered).purchase_order;
    const received = lines.map((line) => ({ id: line.id, quantity_received: quantity }));
    return post(`/purchase_orders/${id}/receive`, { line_items: received });
  };
  const inTwo: Plan['followUp'] = (answer) => ({ ...all(3)(answer), followUp: all(3) });
  return post('/purchase_orders', { purchase_order: { line_items } }, { followUp: random.next() < 0.5 ? all(6) : inTwo });
}
