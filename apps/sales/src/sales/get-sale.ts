import type { Ask } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, viewOf } from './sale.query.ts';

const byId = `${salesStatement('sales.sales s')} where s.store_id = $1 and s.id = $2`;

/** GET /sales/:id, of any state and any date. */
export const getSale: Verb<'GetSale'> = async (app, request, { caller }) => shownSale(app.db.read, caller.storeId, parseId(request.id));

/** The sale as its GET answers it. */
export async function shownSale(ask: Ask, storeId: number, id: number | undefined): Promise<SaleResponse> {
  const [sale] = id === undefined ? [] : await ask<SaleRead>(byId, [storeId, id]);
  if (!sale) throw notFound('Sale');
  return { sale: viewOf(sale) };
}
