/** One product by its id, or by a code that was scanned. */
import { check } from 'k6';
import { ask } from './request.js';

export function pointLookups(turn) {
  const { ids, n } = turn;
  if (n % 3 === 0) {
    const code = `SKU-${1 + (n % ids.length)}`;
    ask(turn, 'GET', `/products?search=${code}&per_page=5`, { name: 'GET /products?search' });
    return;
  }
  const id = ids[n % ids.length];
  const answer = ask(turn, 'GET', `/products/${id}`, { name: 'GET /products/:id' });
  if (answer) check(answer, { 'it is the product that was asked for': ({ data }) => data.id === id });
}
