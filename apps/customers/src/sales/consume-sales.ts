/** Consumes sales: adds them to their customers, and takes voided ones back. */
import { type EntityManager, planByValues } from '@store/db';
import type { Message } from '@store/events';
import { storeCaller } from '@store/service';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Customers } from '../customers.ts';
import { addSalePoints } from '../loyalty/add-sale-points.ts';
import { holdTiers } from '../loyalty-tiers/loyalty-tier.query.ts';
import { giveBackSales } from '../store-credits/give-back-credit.ts';
import { addSpend, lockCustomers, markSales, type SaleEffect } from './count-sales.ts';
import { type ReceivedSale, receivedSale } from './sale-message.ts';

/** Sales of a batch, store by store. */
export async function consumeSales(app: Customers, em: EntityManager, messages: Message[]): Promise<void> {
  const byStore = Map.groupBy(messages, (message) => message.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) await consumeOfStore(app, em, storeId, mine);
}

/** One customer.updated for each customer whose public JSON the batch changes, last (D224). */
async function consumeOfStore(app: Customers, em: EntityManager, storeId: number, messages: Message[]): Promise<void> {
  const sent = messages.map(receivedSale);
  planByValues(em, sent.length);
  const caller = await storeCaller(em, app.db.schema, storeId, { features: featuresOf(sent) });
  // A change of tiers then ranks these customers with this batch's spend.
  await holdTiers(em, storeId, 'shared');
  const received = await lockCustomers(em, storeId, sent);
  // Read the clock after locking: updated_at never decreases.
  const handled = { storeId, now: app.db.clock.now() };
  const effects = await markSales(em, handled, received);
  const changed = new Set(await addSpend(em, handled, effects));
  for (const id of await addSalePoints(em, { ...handled, earns: caller.features.has('loyalty') }, effects)) changed.add(id);
  for (const id of await giveBackTenders(em, app, storeId, effects)) changed.add(id);
  const changes = [...changed].sort((a, b) => a - b).map((id) => ({ id, name: 'customer.updated' as const }));
  await emitCustomers(em, app, caller, changes);
}

/** The plan at the last of these sales. */
function featuresOf(received: ReceivedSale[]): Set<string> {
  return new Set(received.at(-1)?.sale.loyalty ? ['loyalty'] : []);
}

/** Gives back the store credit of voided sales (D212); returns the ids of the customers that got some. */
async function giveBackTenders(em: EntityManager, app: Customers, storeId: number, effects: SaleEffect[]): Promise<number[]> {
  const paid = effects.filter(({ kind, sale }) => kind === 'voided' && Number(sale.store_credit) > 0).map(({ sale }) => sale);
  const users = new Map(paid.map(({ id, user }) => [id, user]));
  const given = await giveBackSales(em, { storeId, clock: app.db.clock, users }, [...users.keys()]);
  return given.map(({ customer_id }) => customer_id);
}
