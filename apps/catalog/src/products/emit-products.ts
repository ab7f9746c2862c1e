/** product.created, product.updated and product.deleted, built from the record's state in the transaction. */
import { messageType, renderView } from '@store/contract';
import { askIn, type EntityManager } from '@store/db';
import { emit, type NewEvent } from '@store/events';
import { notFound } from '@store/problem';
import type { Product } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import { pacedEach } from '@store/shares/asker';
import type { Catalog } from '../catalog.ts';
import { type ProductRow, productsByIds, type VariationRow } from './product.query.ts';
import { productView } from './product.view.ts';

export interface ProductChange {
  id: number;
  name: 'product.created' | 'product.updated' | 'product.deleted';
  /** Verb of the audit trail, such as product.create; absent: the change has its audit elsewhere. */
  action?: string;
  before?: object | null;
  after?: object | null;
}

const productType = messageType('store.catalog.v1.Product');
/** "Never in webhook payloads": no field that asks for a scope is rendered. */
const holdsNothing = () => false;

/** Emits one event per change, in their order; call it last, after the rows are written. */
export function emitProducts(em: EntityManager, app: Catalog, caller: Caller, changes: ProductChange[]): Promise<void> {
  return pacedEach(changes, (slice) => emitBatch(em, app, caller, slice));
}

/** Emits product.updated once per product, in id order, without an audit entry: what caused it has its own, or none. */
export function emitUpdated(em: EntityManager, app: Catalog, caller: Caller, ids: number[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort((a, b) => a - b);
  return emitProducts(
    em,
    app,
    caller,
    inOrder.map((id) => ({ id, name: 'product.updated' })),
  );
}

/** Emits the event of one product that exists; returns the product as the event shows it, so that an answer reads nothing again. */
export async function emitProduct(em: EntityManager, app: Catalog, caller: Caller, change: ProductChange): Promise<Product> {
  const shown = (await emitBatch(em, app, caller, [change])).get(change.id);
  if (!shown) throw notFound('Product');
  return shown;
}

/** Emits the event of one product from the row that its write returned; returns it like `emitProduct`. */
export async function emitWritten(
  em: EntityManager,
  app: Catalog,
  caller: Caller,
  change: ProductChange,
  { row, variations }: { row: ProductRow; variations?: VariationRow[] | undefined },
): Promise<Product> {
  const product = productView(row, variations, caller);
  await emit(em, app.outbox, caller, [eventOf(change, product)]);
  return product;
}

/** Returns the products that it has read, by id. */
async function emitBatch(em: EntityManager, app: Catalog, caller: Caller, changes: ProductChange[]): Promise<Map<number, Product>> {
  const ids = changes.filter((change) => change.name !== 'product.deleted').map((change) => change.id);
  const { rows, variations } = await productsByIds(askIn(em), caller, app.db.clock.now(), ids);
  const found = new Map(rows.map((row) => [row.id, row]));
  const shown = new Map<number, Product>();
  const events: NewEvent[] = [];
  for (const change of changes) {
    const row = found.get(change.id);
    if (row) shown.set(row.id, productView(row, variations.get(row.id), caller));
    events.push(eventOf(change, shown.get(change.id)));
  }
  await emit(em, app.outbox, caller, events);
  return shown;
}

/** A product that is gone, or about to be, has its id alone in its event (Payload 2). */
function eventOf(change: ProductChange, product: Product | undefined): NewEvent {
  const { id, name, action, before = null, after = null } = change;
  return {
    name,
    aggregate: `product:${id}`,
    public: { resourceType: 'Product', resourceId: id, data: product ? renderView(productType, product, holdsNothing) : `{"id":${id}}` },
    ...(action && { audit: { action, resource_type: 'Product', resource_id: id, before, after } }),
  };
}
