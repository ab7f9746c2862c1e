/** customer.created and customer.updated, built from the rows' state in the transaction. */
import { messageType, renderView } from '@store/contract';
import { askIn, type EntityManager } from '@store/db';
import { emit, type NewEvent } from '@store/events';
import type { Caller } from '@store/rpc';
import type { Customers } from '../customers.ts';
import { type CustomerRow, customersByIds } from './customer.query.ts';
import { factOf } from './customer.ts';
import { customerView, type Reader, readerOf } from './customer.view.ts';

interface CustomerChange {
  id: number;
  name: 'customer.created' | 'customer.updated';
  /** True for the change that archives it. */
  archives?: boolean;
  /** What the audit trail keeps; absent: the change has its audit elsewhere. */
  audit?: { action: string; before: object | null; after: object | null };
}

const customer = messageType('store.customers.v1.Customer');
/** No field of a customer asks for a scope. */
const holdsNothing = () => false;

/** Events per statement: the memory of a change of many customers stays bounded. */
const batchMax = 1_000;

/**
 * Emits one event per change, in their order; call it last, after the rows are written. A customer that was archived before
 * has no event, only its audit entry (D224); the event of an archived customer holds the id alone.
 */
export async function emitCustomers(em: EntityManager, app: Customers, caller: Caller, changes: CustomerChange[]): Promise<void> {
  const reader = readerOf(caller, app.db.clock.now());
  for (let from = 0; from < changes.length; from += batchMax) {
    const batch = changes.slice(from, from + batchMax);
    const ids = batch.map(({ id }) => id);
    const rows = await customersByIds(askIn(em), caller.storeId, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const events = batch.flatMap((change) => eventOf(change, byId.get(change.id)!, reader) ?? []);
    await emit(em, app.outbox, caller, events);
  }
}

function eventOf({ id, name, archives, audit }: CustomerChange, row: CustomerRow, reader: Reader): NewEvent | undefined {
  const audited = audit && { audit: { ...audit, resource_type: 'Customer', resource_id: id } };
  if (row.archived_at !== null && !archives) return audited && { name, aggregate: `customer:${id}`, ...audited };
  return {
    name,
    aggregate: `customer:${id}`,
    public: { resourceType: 'Customer', resourceId: id, data: archives ? `{"id":${id}}` : shown(row, reader) },
    internal: { customer: factOf(row) },
    ...audited,
  };
}

function shown(row: CustomerRow, reader: Reader): string {
  return renderView(customer, customerView(row, reader), holdsNothing);
}
