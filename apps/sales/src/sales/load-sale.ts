import { columnsOf, type EntityManager, sql } from '@store/db';
import { notFound } from '@store/problem';
import type { Call } from '@store/rpc';
import { readRecord } from '@store/service';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import type { SaleState } from './plan-sale.ts';
import { Sale } from './sale.ts';
import { SaleLineItem, type SaleLineItemRow } from './sale-line-item.ts';

export interface StoredSale extends SaleState {
  lines: SaleLineItemRow[];
}

const saleOf = (storeId: number, id: number) =>
  tables.selectFrom('sales').select(columnsOf(Sale)).where('store_id', '=', storeId).where('id', '=', id);
const linesOf = (storeId: number, id: number) =>
  tables
    .selectFrom('sale_line_items')
    .select(columnsOf(SaleLineItem))
    .where('store_id', '=', storeId)
    .where('sale_id', '=', id)
    .orderBy('position');
const paymentsOf = (storeId: number, id: number) =>
  tables
    .selectFrom('sale_payments')
    .select(['method', 'amount', 'card_number'])
    .where('store_id', '=', storeId)
    .where('sale_id', '=', id)
    .orderBy('position');

/** Without a lock; a 404 for an unknown id and for another store's. */
export async function readSale(app: Sales, { caller }: Call, rawId: string | undefined): Promise<StoredSale> {
  const { storeId } = caller;
  const sale = await readRecord(app.db, rawId, (id) => saleOf(storeId, id), 'Sale');
  const [lines, payments] = await Promise.all([app.db.read(linesOf(storeId, sale.id)), app.db.read(paymentsOf(storeId, sale.id))]);
  return { sale, lines, payments };
}

/** Locked until the commit: two changes of one sale follow each other. */
export async function lockSale(em: EntityManager, storeId: number, id: number): Promise<StoredSale> {
  const [sale] = await sql(em, saleOf(storeId, id).forUpdate());
  if (!sale) throw notFound('Sale');
  return { sale, lines: await sql(em, linesOf(storeId, id)), payments: await sql(em, paymentsOf(storeId, id)) };
}
