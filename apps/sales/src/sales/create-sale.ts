/** POST /sales (staff): the register. */
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@store/db';
import { invalid } from '@store/problem';
import type { SaleResponse } from '@store/protos/sales/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import { namedDrawer, usualDrawer } from '../cash-drawer-sessions/drawer-of-sale.ts';
import { holdCustomer } from '../customers/move-merged.ts';
import type { Sales, Verb } from '../sales.ts';
import { claimIntent, type Intent } from '../store-credit/credit-intents.ts';
import { RequestCredit } from '../store-credit/request-credit.ts';
import { askCustomers, type Customers, planContext, saleCustomer } from './ask-others.ts';
import { creditOf } from './credit-of.ts';
import { emitSale } from './emit-sale.ts';
import { newSale } from './new-sale.ts';
import { type Planned, planSale, type SaleState } from './plan-sale.ts';
import { type AcceptedSale, acceptNewSale } from './sale.input.ts';
import { saleView } from './sale.view.ts';
import { takeCards, withCards } from './take-cards.ts';
import { insertSale, numberTaken, type WrittenIds } from './write-sale.ts';

/** Records a sale; a completed one takes its tenders with it. */
export const createSale: Verb<'CreateSale'> = async (app, request, call) => {
  const accepted = acceptNewSale(request.sale, call.caller.timeZone);
  const credit = new RequestCredit(app, call);
  try {
    return await withCards(app, call, accepted, () =>
      change<SaleResponse, Asked>(app, call, (em, asked) => write(em, app, call, asked), {
        ask: () => ask(app, call, accepted, credit),
      }),
    );
  } finally {
    await credit.release();
  }
};

interface Asked {
  planned: Planned;
  customers: Customers;
  /** Whether the number was sent. */
  isNumbered: boolean;
  /** undefined: the clerk's usual one. */
  drawerId: number | null | undefined;
  intent: Intent | undefined;
}

/** The store credit comes last: everything else that can be refused before the transaction has been accepted then. */
async function ask(app: Sales, call: Call, sent: AcceptedSale, credit: RequestCredit): Promise<Asked> {
  const { storeId, actor } = call.caller;
  const [context, { customers, errors }] = await Promise.all([planContext(app, call, sent), askCustomers(app, call, sent, null)]);
  const accepted = { ...sent, errors: { ...sent.errors, ...errors } };
  const blank = newSale(storeId, actor, context.now);
  const planned = planSale(blank, accepted, context);
  const { receipt_number, cash_drawer_session_id: drawerId } = accepted.values;
  planned.sale.receipt_number = receipt_number ?? (await newNumber(app, call));
  const wanted = creditOf(planned);
  const intent = wanted && (await credit.take({ ...wanted, saleId: null }));
  return { planned, customers, isNumbered: receipt_number !== undefined, drawerId, intent };
}

/** A dry run has a number of its own, so that trying leaves no gap in the store's. */
async function newNumber({ receiptNumbers }: Sales, { caller }: Call): Promise<string> {
  return caller.dryRun ? `dry-run-${randomUUID()}` : receiptNumbers.next(caller.storeId);
}

async function write(em: EntityManager, app: Sales, call: Call, asked: Asked): Promise<SaleResponse> {
  const { caller } = call;
  const { storeId } = caller;
  const { planned, customers, drawerId, intent } = asked;
  const { completed_at } = planned.sale;
  const drawer =
    drawerId === undefined
      ? await usualDrawer(em, caller, null, completed_at)
      : drawerId && (await namedDrawer(em, caller, drawerId, completed_at));
  await holdCustomer(em, storeId, planned.sale.customer_id);
  if (intent) await claimIntent(em, storeId, intent);
  const draft = { ...planned, sale: { ...planned.sale, cash_drawer_session_id: drawer } };
  const { id, line_ids } = await insert(em, app, storeId, draft, asked);
  const state = { ...draft, sale: { ...draft.sale, id } };
  if (planned.enters === 'completed') await takeCards({ em, app, call }, state);
  const lines = state.lines.map((line, index) => ({ ...line, id: line_ids[index]! }));
  const view = saleView(state.sale, lines, saleCustomer(customers, state.sale.customer_id));
  await emitSale(em, app, call, state, view, { entered: planned.enters, before: null, after: view });
  return { sale: view };
}

/** A number that was sent and is taken is a 422; one of the store's own that a client had used before is skipped. */
async function insert(em: EntityManager, app: Sales, storeId: number, draft: SaleState, asked: Asked): Promise<WrittenIds> {
  for (;;) {
    const written = await insertSale(em, storeId, draft, asked.intent?.saleId ?? null);
    if (written) return written;
    if (asked.isNumbered) throw invalid([numberTaken]);
    draft.sale.receipt_number = await app.receiptNumbers.nextFree(em, storeId);
  }
}
