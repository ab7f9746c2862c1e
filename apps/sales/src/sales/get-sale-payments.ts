import { shortened } from '@store/input';
import type { SalePaymentsResponse } from '@store/protos/sales/v1.ts';
import { lastFour } from '../gift-cards/gift-card.ts';
import type { Verb } from '../sales.ts';
import { readSale, type StoredSale } from './load-sale.ts';
import { taxAmounts } from './totals.ts';

/** GET /sales/:id/payments (D266): what a ledger needs and the sale itself does not show. */
export const getSalePayments: Verb<'GetSalePayments'> = async (app, request, call) =>
  salePaymentsView(await readSale(app, call, request.id));

/** A sale that was never completed took no tender; what it names is only intended. */
function salePaymentsView({ sale, payments }: StoredSale): SalePaymentsResponse {
  const amounts = taxAmounts(sale);
  return {
    payments: (sale.completed_at ? payments : []).map(({ method, amount, card_number }) => ({
      method,
      amount,
      card_last4: card_number === null ? undefined : lastFour(card_number),
      given_back: sale.status === 'voided',
    })),
    taxes: sale.tax_rates.map((rate, index) => ({
      name: sale.tax_names?.[index] ?? 'Tax',
      rate: shortened(rate),
      amount: amounts[index]!,
    })),
  };
}
