import type { Caller } from '@store/rpc';
import type { SaleState } from './plan-sale.ts';

/** A sale before the request has filled it; it is parked until the request completes it. */
export function newSale(storeId: number, actor: Caller['actor'], now: Date): SaleState {
  const zero = '0.00';
  return {
    sale: {
      id: 0,
      store_id: storeId,
      receipt_number: '',
      status: 'pending',
      source: 'pos',
      sale_type: 'retail',
      payment_method: null,
      customer_id: null,
      clerk_id: actor.userId > 0 ? actor.userId : null,
      clerk_name: actor.userId > 0 ? actor.userName : null,
      subtotal: zero,
      discount_amount: zero,
      sale_discount: zero,
      tax_rates: [],
      tax_names: [],
      tax_amount: zero,
      total: zero,
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
      listed_at: now,
      created_at: now,
      updated_at: now,
    },
    lines: [],
    payments: [],
  };
}
