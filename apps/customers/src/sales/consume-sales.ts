/** Listens to sales: what they add to their customers, and what a void takes back. */
import type { EntityManager } from '@store/db';
import type { Message } from '@store/events';
import { storeCaller } from '@store/service';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Customers } from '../customers.ts';
import { addSpend, lockCustomers, markSales } from './count-sales.ts';
import { heardSale } from './sale-message.ts';

/** Sales of a batch, store by store. */
export async function consumeSales(app: Customers, em: EntityManager, messages: Message[]): Promise<void> {
  const byStore = Map.groupBy(messages, (message) => message.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) await consumeOfStore(app, em, storeId, mine);
}

/** One customer.updated for each customer whose public JSON the batch changes, last (D224). */
async function consumeOfStore(app: Customers, em: EntityManager, storeId: number, messages: Message[]): Promise<void> {
  const heard = messages.map(heardSale);
  const caller = await storeCaller(em, app.db.schema, storeId);
  const handled = { storeId, now: app.db.clock.now() };
  await lockCustomers(em, storeId, heard);
  const counted = await markSales(em, handled, heard);
  const changed = new Set(await addSpend(em, handled, counted));
  const changes = [...changed].sort((a, b) => a - b).map((id) => ({ id, name: 'customer.updated' as const }));
  await emitCustomers(em, app, caller, changes);
}
