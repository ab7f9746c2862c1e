/** The event and the audit entry of a change that staff made to a record: one call, one outbox row (D183). */
import { type Difference, type EntityManager, nounOf } from '@store/db';
import { emit, type NewEvent, type Outbox } from '@store/events';
import type { Call } from '@store/rpc';

/** What happened: created (nothing before), deleted (nothing after), or updated. */
interface RecordedChange {
  before: object | null;
  after: object | null;
}

interface Emits {
  outbox: Outbox;
}

/** Emits the record's event with its audit entry, after its flush: the row lock orders the outbox as the commits. */
export async function recordChange(
  em: EntityManager,
  app: Emits,
  call: Pick<Call, 'caller'>,
  entity: { meta: { className: string } },
  id: number,
  { before, after }: RecordedChange | Difference,
  more: Pick<NewEvent, 'public' | 'internal'> = {},
): Promise<void> {
  const noun = nounOf(entity);
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update';
  const audit = { action: `${noun.name}.${verb}`, resource_type: noun.type, resource_id: id, before, after };
  await emit(em, app.outbox, call.caller, [{ name: `${noun.name}.${verb}d`, aggregate: `${noun.name}:${id}`, audit, ...more }]);
}
