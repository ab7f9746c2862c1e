/** Sends one part of a catalogue; the same articles come again every "night" with new prices. */
import { check } from 'k6';
import { ask } from './request.js';

const rowsPerPart = 250;
const parts = 8;

export function nightlyUpsert(turn) {
  const part = turn.n % parts;
  const price = (1 + (turn.n % 997) / 100).toFixed(2);
  const products = Array.from({ length: rowsPerPart }, (_, row) => {
    const sku = `NIGHT-${part}-${row}`;
    return { sku, name: `Night article ${part} ${row}`, price };
  });
  const answer = ask(turn, 'POST', '/products/bulk_upsert', { body: { products }, name: 'POST /products/bulk_upsert' });
  if (answer) check(answer, { 'no row is refused': ({ data }) => !data.errors || data.errors.length === 0 });
}
