/** The event of a sale's change, with its audit entry (D183). */
import { messageType, renderView } from '@store/contract';
import type { EntityManager } from '@store/db';
import { emit, type NewEvent, type SaleFact } from '@store/events';
import type { Sale } from '@store/protos/sales/v1.ts';
import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import type { SaleState } from './plan-sale.ts';
import { paidBy } from './tenders.ts';

const saleType = messageType('store.sales.v1.Sale');

export interface SaleChange {
  /** The state that the sale entered; undefined: none. */
  entered: string | undefined;
  /** The sale before; for an update only what changed. null: a new sale. */
  before: object | null;
  after: object;
}

/** Emits sale.completed or sale.voided when the sale entered that state; any other change is internal and audited alone. */
export async function emitSale(
  em: EntityManager,
  app: Sales,
  call: Pick<Call, 'caller'>,
  state: SaleState,
  view: Sale,
  { entered, before, after }: SaleChange,
): Promise<void> {
  const { id } = state.sale;
  const isPublic = entered === 'completed' || entered === 'voided';
  const verb = before === null ? 'create' : 'update';
  const event: NewEvent = {
    name: isPublic ? `sale.${entered}` : `sale.${verb}d`,
    aggregate: `sale:${id}`,
    audit: { action: `sale.${verb}`, resource_type: 'Sale', resource_id: id, before, after },
  };
  if (isPublic) {
    event.public = { resourceType: 'Sale', resourceId: id, data: renderView(saleType, view, () => false) };
    event.internal = { sale: factOf(state, call.caller) };
  }
  await emit(em, app.outbox, call.caller, [event]);
}

/** What other services need; of a void, whether the sale had counted (D164), and who voided it. */
function factOf({ sale, lines, payments }: SaleState, { actor, features }: Call['caller']): SaleFact {
  const isVoid = sale.status === 'voided';
  const clerk = sale.clerk_id === null ? null : { id: sale.clerk_id, name: sale.clerk_name ?? '' };
  return {
    id: sale.id,
    receipt_number: sale.receipt_number,
    counted: sale.completed_at !== null,
    customer_id: sale.customer_id,
    subtotal: sale.subtotal,
    discount_amount: sale.discount_amount,
    total: sale.total,
    store_credit: sale.completed_at === null ? '0.00' : paidBy('store_credit', payments),
    loyalty: features.has('loyalty'),
    user: isVoid && actor.userId > 0 ? { id: actor.userId, name: actor.userName } : clerk,
    lines: lines.map(({ product_id, product_name, sku, quantity, bundle }) => ({ product_id, product_name, sku, quantity, bundle })),
  };
}
