/** Asks catalog and customers for what a sale needs, before its transaction. */
import type { FieldErrors } from '@store/input';
import type { Call } from '@store/rpc';
import { type CopiedCustomer, copiedCustomers } from '../customers/copied-customers.ts';
import type { Sales } from '../sales.ts';
import type { PlanContext } from './plan-sale.ts';
import type { AcceptedSale } from './sale.input.ts';
import { taxNamesOf, taxRatesOf } from './totals.ts';

export type Customers = ReadonlyMap<number, CopiedCustomer>;

/** The products of the lines that were sent, in one call, with the store's tax and the time. */
export async function planContext(app: Sales, call: Call, { lines = [] }: AcceptedSale): Promise<PlanContext> {
  const ids = [...new Set(lines.map((line) => line.productId))].filter((id) => id > 0);
  const { products = [] } = ids.length === 0 ? {} : await app.catalog.GetSaleProducts({ ids }, call);
  return {
    products: new Map(products.map((product) => [Number(product.id), product])),
    taxRates: taxRatesOf(call.caller.tax),
    taxNames: taxNamesOf(call.caller.tax),
    now: app.db.clock.now(),
  };
}

/** The customers that the request and the sale name; one that is newly named must be known and not archived (D225, D234). */
export async function askCustomers(
  app: Sales,
  call: Call,
  accepted: AcceptedSale,
  current: number | null,
): Promise<{ customers: Customers; errors: FieldErrors }> {
  const named = accepted.values.customer_id ?? null;
  const customers = await copiedCustomers(
    app,
    call,
    [...new Set([named, current])].filter((id) => id !== null),
  );
  if (named === null || named === current) return { customers, errors: {} };
  const customer = customers.get(named);
  if (!customer) return { customers, errors: { customer_id: ['is unknown'] } };
  return { customers, errors: customer.archived ? { customer_id: ['is archived'] } : {} };
}

/** The customer as a sale shows it. */
export function saleCustomer(customers: Customers, id: number | null) {
  const customer = id === null ? undefined : customers.get(id);
  return customer && { id: customer.id, name: customer.name, customer_code: customer.customer_code ?? undefined };
}
