import { type EntityManager, sql } from '@store/db';
import { invalidCustomer } from './customer.input.ts';

/** "the letter C followed by five digits" */
const codesMax = 100_000;
const firstCode = 10_001;

/** Codes go from C10001 to C99999, then from C00000 to C10000 (D81). */
function codeOf(position: number): string {
  return `C${String((firstCode + position) % codesMax).padStart(5, '0')}`;
}

/** The store's next code; 422 once all are taken. The counter is locked until the commit, so that it leaves no gap. */
export async function nextCode(em: EntityManager, storeId: number): Promise<string> {
  const [counter] = await sql<{ allocated: number }>(
    em,
    `insert into customers.customer_codes as c (store_id, allocated) values ($1, 1)
     on conflict (store_id) do update set allocated = c.allocated + 1 where c.allocated < ${codesMax} returning allocated`,
    [storeId],
  );
  if (!counter) throw invalidCustomer(['No customer code is left']);
  return codeOf(counter.allocated - 1);
}
