/** A page of what moved a customer's credit or points, newest first. A customer's rows are written under its lock, so their ids have the order of their commits. */
import { columnsOf, type Row } from '@store/db';
import { paginationView, parseId, parsePage } from '@store/input';
import { notFound } from '@store/problem';
import type { ListMovementsRequest__Output } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Customers } from '../customers.ts';
import { tables } from '../tables.ts';

const perPageDefault = 50;

interface Ledger<Entity> {
  entity: Entity;
  /** Also that of an archived customer. */
  withArchived: boolean;
}

/** Rows of the ledger with their pagination; an unknown or other store's customer is the same 404. */
export async function pageOfLedger<Entity extends Parameters<typeof columnsOf>[0]>(
  app: Customers,
  request: ListMovementsRequest__Output,
  { storeId }: Caller,
  { entity, withArchived }: Ledger<Entity>,
) {
  const id = parseId(request.id);
  const found = tables.selectFrom('customers').select(['id', 'archived_at']).where('store_id', '=', storeId);
  const [customer] = id === undefined ? [] : await app.db.read(found.where('id', '=', id));
  if (!customer || (customer.archived_at && !withArchived)) throw notFound('Customer');
  const page = parsePage(request, perPageDefault);
  const { tableName } = entity.init().meta;
  const chosen = `from customers.${tableName} where store_id = $1 and customer_id = $2`;
  const text = `select ${columnsOf(entity).join(', ')} ${chosen} order by id desc limit $3 offset $4`;
  const [rows, [counted]] = await Promise.all([
    app.db.read<Row<Entity>>(text, [storeId, customer.id, page.perPage, page.offset]),
    app.db.read<{ count: number }>(`select count(*) as count ${chosen}`, [storeId, customer.id]),
  ]);
  return { rows, pagination: paginationView(page, counted!.count) };
}
