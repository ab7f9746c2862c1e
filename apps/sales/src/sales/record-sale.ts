/** The one way to record a sale, new or changed: ask other services, plan, take credit, write, move gift cards, emit. */
import { randomUUID } from 'node:crypto';
import { messageType, renderView } from '@store/contract';
import type { EntityManager } from '@store/db';
import { emit, type NewEvent, type SaleFact } from '@store/events';
import { Problem } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import type { Call, Reply } from '@store/rpc';
import { change, userOf } from '@store/service';
import { namedDrawer, usualDrawer } from '../cash-drawer-sessions/drawer-of-sale.ts';
import { type CopiedCustomer, copiedCustomers, customerErrors } from '../customers/customer-copy.ts';
import { guarded } from '../gift-cards/card-misses.ts';
import { redeemCards, refundCards } from '../gift-cards/tender-cards.ts';
import type { Sales } from '../sales.ts';
import { type Intent, type TakeCredit, type WantedCredit, withCredit } from '../store-credit/credit-intents.ts';
import { type PlanContext, type Planned, planSale, type SaleState } from './plan-sale.ts';
import type { AcceptedSale } from './sale.input.ts';
import type { SaleRow } from './sale.ts';
import { type ShownLine, saleView } from './sale.view.ts';
import { paidBy } from './tenders.ts';
import { taxNamesOf, taxRatesOf } from './totals.ts';

export interface SaleUnit {
  em: EntityManager;
  app: Sales;
  call: Call;
}

/** What was asked before the transaction. */
export interface Asked {
  accepted: AcceptedSale;
  context: PlanContext;
  customers: ReadonlyMap<number, CopiedCustomer>;
  /** Over the sale as it was read, or a new one. */
  planned: Planned;
  /** Of a sale that exists a refusal counts only if it is still to be completed once its row is locked. */
  credit: Intent | Problem | undefined;
}

interface Recording {
  accepted: AcceptedSale;
  /** The sale before, or a blank one of the id 0. */
  before: () => Promise<SaleState>;
  /** Whether the sale may have been parked with gift cards. */
  isParked: boolean;
  write: (unit: SaleUnit, asked: Asked) => Promise<SaleResponse>;
}

/** A refused sale reveals whether a card exists, so a sale with cards is limited like a look-up. */
export function recordSale(
  app: Sales,
  call: Call,
  { accepted, before, isParked, write }: Recording,
): Promise<SaleResponse | Reply<SaleResponse>> {
  const record = () =>
    withCredit(app, call, (take) =>
      change<SaleResponse, Asked>(app, call, (em, asked) => write({ em, app, call }, asked), {
        ask: async () => ask(app, call, accepted, await before(), take),
      }),
    );
  const namesCard = accepted.payments?.some(({ card_number }) => card_number !== null);
  return namesCard || (isParked && accepted.values.status === 'completed') ? guarded(app, call, record) : record();
}

/** The store credit comes last: everything else that can be refused before the transaction has been accepted then. */
async function ask(app: Sales, call: Call, sent: AcceptedSale, before: SaleState, take: TakeCredit): Promise<Asked> {
  const { id, customer_id } = before.sale;
  const [context, customers] = await Promise.all([planContext(app, call, sent), namedCustomers(app, call, sent, customer_id)]);
  const named = sent.values.customer_id ?? null;
  const errors = named === null || named === customer_id ? {} : customerErrors(customers.get(named));
  const accepted = { ...sent, errors: { ...sent.errors, ...errors } };
  const planned = planSale(before, accepted, context);
  if (planned.sale.receipt_number === '') planned.sale.receipt_number = await newNumber(app, call);
  const wanted = creditOf(planned);
  const credit = wanted && (await (id === 0 ? take({ ...wanted, saleId: null }) : take({ ...wanted, saleId: id }).catch(refusalOf)));
  return { accepted, context, customers, planned, credit };
}

function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.kind === 'invalid') return error;
  throw error;
}

/** The products of the lines that were sent, in one call, with the store's tax and the time. */
async function planContext(app: Sales, call: Call, { lines = [] }: AcceptedSale): Promise<PlanContext> {
  const ids = [...new Set(lines.map((line) => line.productId))].filter((id) => id > 0);
  const { products = [] } = ids.length === 0 ? {} : await app.catalog.GetSaleProducts({ ids }, call);
  return {
    products: new Map(products.map((product) => [Number(product.id), product])),
    taxRates: taxRatesOf(call.caller.tax),
    taxNames: taxNamesOf(call.caller.tax),
    now: app.db.clock.now(),
  };
}

/** Those that the request and the sale name. */
function namedCustomers(app: Sales, call: Call, { values }: AcceptedSale, current: number | null): Promise<Map<number, CopiedCustomer>> {
  const ids = [...new Set([values.customer_id ?? null, current])].filter((id) => id !== null);
  return copiedCustomers(app, call, ids);
}

/** A dry run has a number of its own, so that trying leaves no gap in the store's. */
async function newNumber({ receiptNumbers }: Sales, { caller }: Call): Promise<string> {
  return caller.dryRun ? `dry-run-${randomUUID()}` : receiptNumbers.next(caller.storeId);
}

/** The store credit that a sale takes when it is completed by this change. */
export function creditOf({ sale, payments, enters }: Planned): Omit<WantedCredit, 'saleId'> | undefined {
  if (enters !== 'completed' || sale.customer_id === null) return undefined;
  const amount = paidBy('store_credit', payments);
  return amount === '0.00' ? undefined : { customerId: sale.customer_id, amount };
}

/** The session that was named, otherwise the usual one once it is completed: cash is in the drawer of who takes it, not of who parks the sale. */
export async function drawerOf(em: EntityManager, { caller }: Call, { sale, enters }: Planned, named: number | null | undefined) {
  const { cash_drawer_session_id: own, completed_at } = sale;
  if (named) return namedDrawer(em, caller, named, completed_at);
  if (named === null) return null;
  return enters === 'completed' ? usualDrawer(em, caller, own, completed_at) : own;
}

/** The credit that was taken, if any. */
export const intentOf = ({ credit }: Asked): Intent | undefined => (credit instanceof Problem ? undefined : credit);

/** The sale as it is answered. */
export function shownState({ customers }: Asked, sale: SaleRow, lines: ShownLine[]) {
  const customer = sale.customer_id === null ? undefined : customers.get(sale.customer_id);
  return saleView(sale, lines, customer && { id: customer.id, name: customer.name, customer_code: customer.customer_code ?? undefined });
}

const saleType = messageType('store.sales.v1.Sale');

/** `after` is what the audit trail keeps beside the lines; null: all of a new sale. */
interface Concluded {
  state: Planned;
  lines: ShownLine[];
  difference: { before: object; after: object } | null;
}

/**
 * Moves the gift cards of a sale that is written, and emits sale.completed or sale.voided when it entered that state; any other change
 * is internal and audited alone (D183).
 */
export async function conclude(unit: SaleUnit, asked: Asked, { state, lines, difference }: Concluded): Promise<SaleResponse> {
  const { em, app, call } = unit;
  const { sale, payments, enters } = state;
  const cards = payments.flatMap(({ amount, card_number }) => (card_number === null ? [] : [{ cardNumber: card_number, amount }]));
  if (enters === 'completed') await redeemCards(unit, sale.id, cards);
  if (enters === 'voided') await refundCards(unit, sale.id);
  const view = shownState(asked, sale, lines);
  const isPublic = enters === 'completed' || enters === 'voided';
  const verb = difference ? 'update' : 'create';
  const { before, after } = difference ?? { before: null, after: view };
  const event: NewEvent = {
    name: isPublic ? `sale.${enters}` : `sale.${verb}d`,
    aggregate: `sale:${sale.id}`,
    audit: {
      ...{ action: `sale.${verb}`, resource_type: 'Sale', resource_id: sale.id, before },
      after: difference && state.newLines ? { ...after, line_items: view.line_items } : after,
    },
  };
  if (isPublic) {
    event.public = { resourceType: 'Sale', resourceId: sale.id, data: renderView(saleType, view, () => false) };
    event.internal = { sale: factOf(state, call.caller) };
  }
  await emit(em, app.outbox, call.caller, [event]);
  return { sale: view };
}

/** What other services need; of a void, whether the sale had counted (D164), and who voided it. */
function factOf({ sale, lines, payments }: SaleState, { actor, features }: Call['caller']): SaleFact {
  const voider = sale.status === 'voided' ? userOf({ actor }) : null;
  const clerk = sale.clerk_id === null ? null : { id: sale.clerk_id, name: sale.clerk_name ?? '' };
  const { id, receipt_number, customer_id, subtotal, discount_amount, total } = sale;
  return {
    ...{ id, receipt_number, customer_id, subtotal, discount_amount, total },
    counted: sale.completed_at !== null,
    store_credit: sale.completed_at === null ? '0.00' : paidBy('store_credit', payments),
    loyalty: features.has('loyalty'),
    user: voider ?? clerk,
    lines: lines.map(({ product_id, product_name, sku, quantity, bundle }) => ({ product_id, product_name, sku, quantity, bundle })),
  };
}
