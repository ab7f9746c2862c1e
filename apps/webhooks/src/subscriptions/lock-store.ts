/** The store's own row: whoever counts its subscriptions or judges its keys holds it until the commit. */
import { type EntityManager, sql } from '@store/db';

export async function lockStore(em: EntityManager, storeId: number): Promise<void> {
  await sql(em, 'insert into webhooks.stores (id) values ($1) on conflict (id) do update set id = excluded.id', [storeId]);
}
