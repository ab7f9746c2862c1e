/** A change of stock that every subscriber is told of; the command counts and verifies what arrives. */
import { ask } from './request.js';

export function webhookBurst(turn) {
  const { ids, n, run } = turn;
  const body = { product_id: ids[n % ids.length], adjustment_type: 'receive', quantity_change: 1, reason: `${run}-${n}` };
  ask(turn, 'POST', '/stock_adjustments', { body, status: 201, idempotencyKey: `${run}-stock-${n}`, name: 'POST /stock_adjustments' });
}
