/** PATCH /sales/:id (staff): changes a parked sale, completes it, marks it fulfilled, voids it (D96, D214). */
import { type Difference, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { invalid, Problem } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import type { Call } from '@store/rpc';
import { change, demandVersion } from '@store/service';
import { drawerThatPays, namedDrawer, usualDrawer } from '../cash-drawer-sessions/drawer-of-sale.ts';
import { holdCustomer } from '../customers/move-merged.ts';
import { refundCards } from '../gift-cards/tender-cards.ts';
import type { Sales, Verb } from '../sales.ts';
import { claimIntent, type Intent } from '../store-credit/credit-intents.ts';
import { RequestCredit } from '../store-credit/request-credit.ts';
import { askCustomers, type Customers, planContext, saleCustomer } from './ask-others.ts';
import { creditOf } from './credit-of.ts';
import { emitSale } from './emit-sale.ts';
import { shownSale } from './get-sale.ts';
import { lockSale, readSale, type StoredSale } from './load-sale.ts';
import { type PlanContext, type Planned, planSale } from './plan-sale.ts';
import { type AcceptedSale, acceptSale } from './sale.input.ts';
import type { SaleRead } from './sale.query.ts';
import type { SaleRow } from './sale.ts';
import { saleView } from './sale.view.ts';
import { takeCards, withCards } from './take-cards.ts';
import { replaceLines, replacePayments, updateSale as saveSale } from './write-sale.ts';

export const updateSale: Verb<'UpdateSale'> = async (app, request, call) => {
  const accepted = acceptSale(request.sale, call.caller.timeZone);
  const credit = new RequestCredit(app, call);
  try {
    return await withCards(app, call, { ...accepted, parked: accepted.values.status === 'completed' }, () =>
      change<SaleResponse, Asked>(app, call, (em, asked) => write(em, app, call, asked), {
        ask: () => ask(app, call, { id: parseId(request.id), accepted, credit }),
      }),
    );
  } finally {
    await credit.release();
  }
};

interface Asked {
  id: number;
  accepted: AcceptedSale;
  context: PlanContext;
  customers: Customers;
  /** A refusal counts only if the sale is still to be completed once its row is locked. */
  credit: Intent | Problem | undefined;
}

/** The sale is read twice: here to know what to ask for, and again under its lock, where the change is decided. */
async function ask(
  app: Sales,
  call: Call,
  { id, accepted: sent, credit }: { id: number | undefined; accepted: AcceptedSale; credit: RequestCredit },
): Promise<Asked> {
  const current = await readSale(app, call, id);
  const { customers, errors } = await askCustomers(app, call, sent, current.sale.customer_id);
  const accepted = { ...sent, errors: { ...sent.errors, ...errors } };
  const context = await planContext(app, call, accepted);
  const wanted = creditOf(planSale(current, accepted, context));
  const asked = { id: current.sale.id, accepted, context, customers };
  if (!wanted) return { ...asked, credit: undefined };
  return { ...asked, credit: await takeOrRefuse(credit, { ...wanted, saleId: current.sale.id }) };
}

async function takeOrRefuse(credit: RequestCredit, wanted: Parameters<RequestCredit['take']>[0]): Promise<Intent | Problem> {
  try {
    return await credit.take(wanted);
  } catch (error) {
    if (error instanceof Problem && error.kind === 'invalid') return error;
    throw error;
  }
}

async function write(em: EntityManager, app: Sales, call: Call, asked: Asked): Promise<SaleResponse> {
  const { storeId } = call.caller;
  const stored = await lockSale(em, storeId, asked.id);
  await demandVersion(call, () => shownSale((text, values) => sql<SaleRead>(em, text, values), storeId, asked.id));
  // Read the clock under the lock: a sale is never voided before it was completed.
  const planned = planSale(stored, asked.accepted, { ...asked.context, now: app.db.clock.now() });
  demandUnchanged(planned, asked);
  if (planned.sale.customer_id !== stored.sale.customer_id) await holdCustomer(em, storeId, planned.sale.customer_id);
  Object.assign(planned.sale, await drawersOf(em, call, planned, asked.accepted));
  const difference = differenceOf(stored.sale, planned.sale);
  const isChanged = difference !== undefined || planned.newLines || planned.newPayments;
  const lines = isChanged ? await save(em, app, call, planned, stored, asked) : stored.lines;
  const view = saleView(planned.sale, lines, saleCustomer(asked.customers, planned.sale.customer_id));
  if (isChanged) {
    const { before, after } = difference ?? { before: {}, after: {} };
    const line_items = planned.newLines ? { line_items: view.line_items } : {};
    await emitSale(em, app, call, planned, view, { entered: planned.enters, before, after: { ...after, ...line_items } });
  }
  return { sale: view };
}

/** Another request may have changed the sale since it was read; what was asked for must still be what it needs. */
function demandUnchanged(planned: Planned, { credit, customers }: Asked): void {
  const wanted = creditOf(planned);
  if (wanted && credit instanceof Problem) throw credit;
  const { customer_id } = planned.sale;
  const isKnown = customer_id === null || customers.has(customer_id);
  const isPaid =
    !wanted || (credit && !(credit instanceof Problem) && wanted.amount === credit.amount && wanted.customerId === credit.customerId);
  if (!isKnown || !isPaid) throw invalid(['Sale was changed meanwhile']);
}

type Drawers = Partial<Pick<SaleRow, 'cash_drawer_session_id' | 'refund_drawer_session_id'>>;

async function drawersOf(em: EntityManager, { caller }: Call, { sale, enters }: Planned, { values }: AcceptedSale): Promise<Drawers> {
  const named = values.cash_drawer_session_id;
  const { cash_drawer_session_id: own, completed_at } = sale;
  if (named) return { cash_drawer_session_id: await namedDrawer(em, caller, named, completed_at) };
  if (named === null) return { cash_drawer_session_id: null };
  if (enters === 'completed') return { cash_drawer_session_id: await usualDrawer(em, caller, own, completed_at) };
  return enters === 'voided' && completed_at ? { refund_drawer_session_id: await drawerThatPays(em, caller, own) } : {};
}

/** Writes the change and moves its tenders; returns the lines with their ids. */
async function save(em: EntityManager, app: Sales, call: Call, planned: Planned, stored: StoredSale, { credit }: Asked) {
  const { sale, enters } = planned;
  sale.updated_at = app.db.clock.now();
  // Another request may have changed the tenders since the credit was taken: what this plan does not need is given back.
  if (creditOf(planned) && credit && !(credit instanceof Problem)) await claimIntent(em, sale.store_id, credit);
  await saveSale(em, sale);
  if (planned.newPayments) await replacePayments(em, sale, planned.payments);
  if (enters === 'completed') await takeCards({ em, app, call }, planned);
  if (enters === 'voided') await refundCards({ em, app, call }, sale.id);
  if (!planned.newLines) return stored.lines;
  const ids = await replaceLines(em, sale, planned.lines);
  return planned.lines.map((line, index) => ({ ...line, id: ids[index]! }));
}

/** What the audit trail keeps: the columns that changed. */
function differenceOf(before: SaleRow, after: SaleRow): Difference | undefined {
  const changed = (Object.keys(after) as (keyof SaleRow)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return undefined;
  const pick = (row: SaleRow) => Object.fromEntries(changed.map((name) => [name, row[name]]));
  return { before: pick(before), after: pick(after) };
}
