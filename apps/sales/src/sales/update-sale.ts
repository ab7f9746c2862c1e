/** PATCH /sales/:id (staff): changes a parked sale, completes it, marks it fulfilled, voids it (D96, D214). */
import { askIn, changedFields } from '@store/db';
import { invalid, Problem } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import { demandVersion } from '@store/service';
import { drawerThatPays } from '../cash-drawer-sessions/drawer-of-sale.ts';
import { holdCustomer } from '../customers/customer-copy.ts';
import type { Verb } from '../sales.ts';
import { claimIntent, type Intent } from '../store-credit/credit-intents.ts';
import { shownSale } from './get-sale.ts';
import { lockSale, readSale } from './load-sale.ts';
import { type Planned, planSale } from './plan-sale.ts';
import { type Asked, conclude, creditOf, drawerOf, intentOf, recordSale, type SaleUnit, shownState } from './record-sale.ts';
import { acceptSale } from './sale.input.ts';
import { replaceLines, replacePayments, updateSale as saveSale } from './write-sale.ts';

/** The sale is read twice: before the transaction to know what to ask for, and under its lock, where the change is decided. */
export const updateSale: Verb<'UpdateSale'> = async (app, request, call) => {
  const accepted = acceptSale(request.sale, call.caller.timeZone);
  const before = () => readSale(app, call, request.id);
  return recordSale(app, call, { accepted, before, isParked: true, write });
};

async function write(unit: SaleUnit, asked: Asked): Promise<SaleResponse> {
  const { em, app, call } = unit;
  const { storeId } = call.caller;
  const stored = await lockSale(em, storeId, asked.planned.sale.id);
  const { id } = stored.sale;
  await demandVersion(call, () => shownSale(askIn(em), storeId, id));
  // Read the clock under the lock: a sale is never voided before it was completed.
  const now = app.db.clock.now();
  const state = planSale(stored, asked.accepted, { ...asked.context, now });
  const { sale, enters } = state;
  const intent = demandUnchanged(state, asked);
  if (sale.customer_id !== stored.sale.customer_id) await holdCustomer(em, storeId, sale.customer_id);
  const own = sale.cash_drawer_session_id;
  sale.cash_drawer_session_id = await drawerOf(em, call, state, asked.accepted.values.cash_drawer_session_id);
  if (enters === 'voided' && sale.completed_at) sale.refund_drawer_session_id = await drawerThatPays(em, call.caller, own);
  const difference = changedFields(stored.sale, sale);
  if (!difference && !state.newLines && !state.newPayments) return { sale: shownState(asked, sale, stored.lines) };
  sale.updated_at = now;
  if (intent) await claimIntent(em, storeId, intent);
  await saveSale(em, sale);
  if (state.newPayments) await replacePayments(em, sale, state.payments);
  const ids = state.newLines && (await replaceLines(em, sale, state.lines));
  const lines = ids ? state.lines.map((line, index) => ({ ...line, id: ids[index]! })) : stored.lines;
  return conclude(unit, asked, { state, lines, difference: difference ?? { before: {}, after: {} } });
}

/**
 * Another request may have changed the sale since it was read; what was asked for must still be what it needs. The credit that it
 * claims; what this plan does not need is given back.
 */
function demandUnchanged(state: Planned, asked: Asked): Intent | undefined {
  const { credit, customers } = asked;
  const wanted = creditOf(state);
  if (wanted && credit instanceof Problem) throw credit;
  const { customer_id } = state.sale;
  const taken = intentOf(asked);
  const isPaid = !wanted || (wanted.amount === taken?.amount && wanted.customerId === taken.customerId);
  if (!isPaid || (customer_id !== null && !customers.has(customer_id))) throw invalid(['Sale was changed meanwhile']);
  return wanted && taken;
}
