import { invalid } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import type { Caller } from '@store/rpc';
import { userOf } from '@store/service';
import { holdCustomer } from '../customers/customer-copy.ts';
import type { Verb } from '../sales.ts';
import { claimIntent } from '../store-credit/credit-intents.ts';
import type { SaleState } from './plan-sale.ts';
import { type Asked, conclude, drawerOf, intentOf, recordSale, type SaleUnit } from './record-sale.ts';
import { acceptNewSale } from './sale.input.ts';
import { insertSale, numberTaken } from './write-sale.ts';

/** POST /sales (staff): the register. Records a sale; a completed one takes its tenders with it. */
export const createSale: Verb<'CreateSale'> = async (app, request, call) => {
  const accepted = acceptNewSale(request.sale, call.caller.timeZone);
  const before = async () => blankSale(call.caller, app.db.clock.now());
  return recordSale(app, call, { accepted, before, isParked: false, write });
};

/** A sale before the request has filled it; it is parked until the request completes it. */
function blankSale(caller: Caller, now: Date): SaleState {
  const zero = '0.00';
  const clerk = userOf(caller);
  return {
    sale: {
      id: 0,
      store_id: caller.storeId,
      receipt_number: '',
      status: 'pending',
      source: 'pos',
      sale_type: 'retail',
      payment_method: null,
      customer_id: null,
      clerk_id: clerk?.id ?? null,
      clerk_name: clerk?.name ?? null,
      ...{ subtotal: zero, discount_amount: zero, sale_discount: zero, tax_amount: zero, total: zero },
      ...{ tax_rates: [], tax_names: [] },
      green_echeck_surcharge: null,
      green_echeck_total_paid: null,
      fulfillment_method: 'in_store',
      fulfillment_status: 'fulfilled',
      cash_drawer_session_id: null,
      refund_drawer_session_id: null,
      completed_at: null,
      voided_at: null,
      void_reason: null,
      external_id: null,
      note: null,
      ...{ listed_at: now, created_at: now, updated_at: now },
    },
    lines: [],
    payments: [],
  };
}

async function write(unit: SaleUnit, asked: Asked): Promise<SaleResponse> {
  const { em, app, call } = unit;
  const { planned, accepted } = asked;
  const { store_id, customer_id } = planned.sale;
  const drawer = await drawerOf(em, call, planned, accepted.values.cash_drawer_session_id);
  await holdCustomer(em, store_id, customer_id);
  const intent = intentOf(asked);
  if (intent) await claimIntent(em, store_id, intent);
  // A copy: a unit that runs again after a deadlock starts from what was planned.
  const state = { ...planned, sale: { ...planned.sale, cash_drawer_session_id: drawer } };
  for (;;) {
    const written = await insertSale(em, store_id, state, intent?.saleId ?? null);
    if (written) {
      state.sale.id = written.id;
      const lines = state.lines.map((line, index) => ({ ...line, id: written.line_ids[index]! }));
      return conclude(unit, asked, { state, lines, difference: null });
    }
    // A number that was sent and is taken is a 422; one of the store's own that a client had used before is skipped.
    if (accepted.values.receipt_number !== undefined) throw invalid([numberTaken]);
    state.sale.receipt_number = await app.receiptNumbers.nextFree(em, store_id);
  }
}
