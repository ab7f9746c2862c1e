import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, viewOf } from './sale.query.ts';

const byId = `${salesStatement('sales.sales s')} where s.store_id = $1 and s.id = $2`;

/** GET /sales/:id, of any state and any date. */
export const getSale: Verb<'GetSale'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Sale');
  const [sale] = await app.db.read<SaleRead>(byId, [storeId, id]);
  if (!sale) throw notFound('Sale');
  return { sale: viewOf(sale) };
};
