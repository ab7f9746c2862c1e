/** Who made the change that a 412 is about, for staff: the newest entry of the record in the audit trail (D285). */
import { Problem } from '@store/problem';
import { tables } from '../tables.ts';
import type { Exchange, Pipeline } from './exchange.ts';

/** The record's name in the audit trail, of the member that holds it: purchase_order is PurchaseOrder. */
const resourceTypeOf = (member: string) => member.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Without them where the trail does not have the change yet. */
export async function withWhoChanged(problem: Problem, { match, session }: Exchange, { app }: Pipeline): Promise<Problem> {
  const member = match?.endpoint.record?.fieldsArray[0];
  if (problem.kind !== 'record_changed' || !session || !member) return problem;
  const resourceType = resourceTypeOf(member.name);
  const ids: Record<string, number> = { Settings: session.storeId, StaffUser: session.userId };
  const [entry] = await app.db.read(
    tables
      .selectFrom('audit_entries')
      .select(['created_at', 'user_name', 'key_name'])
      .where('store_id', '=', session.storeId)
      .where('resource_type', '=', resourceType)
      .where('resource_id', '=', ids[resourceType] ?? Number(match.params.id))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
  );
  if (!entry) return problem;
  const changed_by = entry.user_name ?? entry.key_name ?? undefined;
  return new Problem(problem.kind, problem.message, { ...problem.extra, changed_by, changed_at: entry.created_at.toISOString() });
}
