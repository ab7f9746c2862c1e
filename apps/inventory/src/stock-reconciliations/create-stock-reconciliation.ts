import { type EntityManager, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { CreateStockReconciliationRequest__Output } from '@store/protos/inventory/v1.ts';
import type { Call, Caller } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory, Verb } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { locationsFeature } from '../stock-adjustments/create-stock-adjustment.ts';
import { writeLedger } from '../stock-adjustments/ledger.ts';
import type { LedgerLine, Named } from '../stock-adjustments/ledger-line.ts';
import { stockAdjustmentView } from '../stock-adjustments/stock-adjustment.view.ts';
import { tables } from '../tables.ts';
import { locationNotFound, lockLocations } from '../warehouse-locations/lock-locations.ts';
import { acceptReconciliation, type Reconciliation } from './reconciliation.input.ts';

interface Asked {
  reconciliation: Reconciliation;
  products: Map<number, StockProduct>;
}

/** POST /stock_reconciliations: records a stock count: every line becomes an inventory row, also where nothing differs (D104). */
export const createStockReconciliation: Verb<'CreateStockReconciliation'> = (app, request, call) => {
  const { caller } = call;
  return change(
    app,
    call,
    async (em, { reconciliation, products }) => {
      const { locationId, lines, notes } = reconciliation;
      const location = locationId === null ? undefined : (await lockLocations(em, caller.storeId, [locationId])).get(locationId);
      if (locationId !== null && !location) throw invalid([locationNotFound]);
      const approvedBy = await approver(em, caller, reconciliation.approverId);
      const saved = await insert(em, app, caller, { locationId, notes, approvedBy });
      const of = { type: 'inventory', evidence: true, notes, reconciliationId: saved.id, ...(approvedBy && { approvedBy }) };
      const at = location && { location, countsLocation: caller.features.has(locationsFeature) };
      const now = app.db.clock.now().getTime();
      const counted = lines.map(({ productId, counted: to, secondsAgo }): LedgerLine => {
        const since = secondsAgo !== null && { since: new Date(now - secondsAgo * 1_000) };
        return { product: products.get(productId)!, movement: { to }, ...since, ...of, ...at };
      });
      const { rows: written, tooLarge } = await writeLedger({ em, app, call }, counted);
      if (tooLarge.size > 0) throw invalid([...tooLarge].map((id) => `Product ${id}: stock would be too large`));
      const stockAdjustments = written.map((row) => stockAdjustmentView(row.adjustment));
      const { id, createdAt } = saved;
      return { stock_reconciliation: { id, notes: notes ?? undefined, stock_adjustments: stockAdjustments, created_at: createdAt } };
    },
    { ask: () => ask(app, request, call) },
  );
};

async function ask(app: Inventory, request: CreateStockReconciliationRequest__Output, call: Call): Promise<Asked> {
  const reconciliation = acceptReconciliation(request.stock_reconciliation);
  const ids = reconciliation.lines.map((line) => line.productId);
  const products = new Map((await stockProducts(app, call, ids)).map((product) => [product.id, product]));
  const errors = reconciliation.lines.flatMap(({ productId }, index) => {
    const product = products.get(productId);
    if (!product) return [`Line ${index + 1} product not found`];
    if (product.hasVariations) return [`Line ${index + 1}: ${adjustTheVariation}`];
    return product.isBundle && reconciliation.locationId !== null ? [`Line ${index + 1}: ${bundleHasNoLocation}`] : [];
  });
  if (errors.length > 0) throw invalid(errors);
  return { reconciliation, products };
}

async function insert(
  em: EntityManager,
  app: Inventory,
  { storeId, actor }: Caller,
  count: { locationId: number | null; notes: string | null; approvedBy: Named | undefined },
): Promise<{ id: number; createdAt: string }> {
  const now = app.db.clock.now();
  const values = {
    store_id: storeId,
    location_id: count.locationId,
    notes: count.notes,
    user_id: actor.userId || null,
    user_name: actor.userName || null,
    approved_by_id: count.approvedBy?.id ?? null,
    approved_by_name: count.approvedBy?.name ?? null,
    created_at: now,
  };
  const [saved] = await sql(em, tables.insertInto('stock_reconciliations').values(values).returning('id'));
  return { id: saved!.id, createdAt: now.toISOString() };
}

/** The member of staff of that id, as the gateway's events named them. */
async function approver(em: EntityManager, caller: Caller, id: number | null): Promise<Named | undefined> {
  if (id === null) return undefined;
  if (caller.actor.userId === id) return { id, name: caller.actor.userName };
  const named = tables.selectFrom('staff_users').select('name').where('store_id', '=', caller.storeId).where('id', '=', id);
  const [known] = await sql(em, named);
  if (!known) throw invalid(['Approved by is not a member of staff']);
  return { id, name: known.name };
}
