/** Who made the change that a 412 is about, for staff: the newest entry of the record in the audit trail (D285). */
import { Problem } from '@store/problem';
import { tables } from '../tables.ts';
import type { Exchange, Pipeline } from './exchange.ts';

const resourceTypes: Record<string, string> = {
  customers: 'Customer',
  gift_cards: 'GiftCard',
  products: 'Product',
  purchase_orders: 'PurchaseOrder',
  sales: 'Sale',
  settings: 'Settings',
  staff_users: 'StaffUser',
  suppliers: 'Supplier',
};

/** Without them where the trail does not have the change yet. */
export async function withWhoChanged(problem: Problem, { match, session }: Exchange, { app }: Pipeline): Promise<Problem> {
  if (problem.kind !== 'record_changed' || !session) return problem;
  const resourceType = resourceTypes[match!.endpoint.path.split('/')[1]!]!;
  const ids: Record<string, number> = { Settings: session.storeId, StaffUser: session.userId };
  const [entry] = await app.db.read(
    tables
      .selectFrom('audit_entries')
      .select(['created_at', 'user_name', 'key_name'])
      .where('store_id', '=', session.storeId)
      .where('resource_type', '=', resourceType)
      .where('resource_id', '=', ids[resourceType] ?? Number(match!.params.id))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
  );
  if (!entry) return problem;
  const changed_by = entry.user_name ?? entry.key_name ?? undefined;
  return new Problem(problem.kind, problem.message, { ...problem.extra, changed_by, changed_at: entry.created_at.toISOString() });
}
