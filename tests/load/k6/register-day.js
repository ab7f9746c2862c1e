/** A sale of one to three lines; some customers are looked up first, and one sale in twenty is voided. */
import { check } from 'k6';
import { ask } from './request.js';

const voidedOne = 20;

export function registerDay(turn) {
  const { ids, token, n, run } = turn;
  if (n % 3 === 0) ask(turn, 'GET', '/customers?q=lantern&per_page=5', { token, name: 'GET /customers?q' });
  const line_items = Array.from({ length: 1 + (n % 3) }, (_, line) => ({
    product_id: ids[(n * 7 + line) % ids.length],
    quantity: 1,
    unit_price: '2.50',
  }));
  const sold = ask(turn, 'POST', '/sales', {
    token,
    body: { sale: { line_items, payment_method: 'cash', receipt_number: `${run}-${n}` } },
    status: 201,
    idempotencyKey: `${run}-sale-${n}`,
    name: 'POST /sales',
  });
  if (!sold) return;
  check(sold, { 'the sale is completed': ({ sale }) => sale.status === 'completed' });
  if (n % voidedOne !== 0) return;
  const body = { sale: { status: 'voided', void_reason: 'A load test takes it back' } };
  ask(turn, 'PATCH', `/sales/${sold.sale.id}`, { token, body, name: 'PATCH /sales/:id' });
}
