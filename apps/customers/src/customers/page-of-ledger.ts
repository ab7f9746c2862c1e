/** A page of what moved a customer's credit or points, newest first. A customer's rows are written under its lock, so their ids have the order of their commits. */
import { columnsOf, type Row } from '@store/db';
import { paginationView, parseId, parsePage } from '@store/input';
import type { ListMovementsRequest__Output } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Customers } from '../customers.ts';
import { customerGone } from './customer.query.ts';
import { itsRows } from './its-ids.ts';

const perPageDefault = 50;

interface Ledger<Entity> {
  entity: Entity;
  /** Also that of an archived customer. */
  withArchived: boolean;
}

/**
 * Rows of the ledger with their pagination, those of customers that were merged into this one among them: their chains of balances end
 * where they went over. An unknown or other store's customer is the same 404.
 */
export async function pageOfLedger<Entity extends Parameters<typeof columnsOf>[0]>(
  app: Customers,
  request: ListMovementsRequest__Output,
  { storeId }: Caller,
  { entity, withArchived }: Ledger<Entity>,
) {
  const id = parseId(request.id);
  const found = id === undefined ? [] : await app.db.read(itsRows(storeId, id).select(['c.id', 'c.archived_at']));
  const customer = found.find((one) => one.id === id);
  if (!customer || (customer.archived_at && !withArchived)) throw await customerGone(app.db.read, storeId, id);
  const page = parsePage(request, perPageDefault);
  const { tableName } = entity.init().meta;
  const chosen = `from customers.${tableName} where store_id = $1 and customer_id = any ($2::bigint[])`;
  const ids = found.map((one) => one.id);
  const mark = page.walk?.mark;
  const text = `select ${columnsOf(entity).join(', ')} ${chosen} ${mark ? 'and id < $5' : ''} order by id desc limit $3 offset $4`;
  const [rows, [counted]] = await Promise.all([
    app.db.read<Row<Entity> & { customer_id: number }>(text, [storeId, ids, page.limit, page.offset, ...(mark ? [mark.id] : [])]),
    app.db.read<{ count: number }>(`select count(*) as count ${chosen}`, [storeId, ids]),
  ]);
  const written = rows.map((row) => ({ ...row, merged_from: row.customer_id === customer.id ? undefined : row.customer_id }));
  return { rows: written, pagination: paginationView(page, counted!.count) };
}
