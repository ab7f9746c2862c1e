/** The steps that staff verbs share: refuse invalid or taken values, write, and emit the change with its audit entry. */
import type { EntitySchema } from '@mikro-orm/core';
import { applyChanges, type Db, type Difference, type EntityManager, flushRecord, insertRecord, takenErrors } from '@store/db';
import type { Outbox } from '@store/events';
import { type FieldErrors, refuseErrors } from '@store/input';
import type { Call } from '@store/rpc';
import { recordChange } from './record-change.ts';

/** The part of an app's context that these steps need. */
export interface KeepsRecords {
  db: Db;
  outbox: Outbox;
}

export interface Unit {
  em: EntityManager;
  app: KeepsRecords;
  call: Pick<Call, 'caller'>;
}

interface Accepted {
  values: object;
  errors: FieldErrors;
}

interface Identified {
  id: number;
}

/** Writes a record from accepted values; `defaults` fill what was not sent, `audited` says what the trail keeps. */
export async function createRecord<T extends Identified>(
  { em, app, call }: Unit,
  entity: EntitySchema<T>,
  accepted: Accepted,
  defaults: object = {},
  audited?: (record: T) => object,
): Promise<T> {
  const values = { ...defaults, ...accepted.values };
  await refuseTaken(em, entity, accepted, 0);
  const record = await insertRecord(em, entity, values, app.db.clock.now());
  await recordChange(em, app, call, entity, record.id, { before: null, after: audited?.(record) ?? values });
  return record;
}

/** Changes a locked record by accepted values; undefined, and no event, when nothing differs. `beforeEvent`: further writes. */
export async function updateRecord<T extends Identified>(
  { em, app, call }: Unit,
  entity: EntitySchema<T>,
  record: T,
  accepted: Accepted,
  beforeEvent: (difference: Difference) => Promise<void> = async () => undefined,
): Promise<Difference | undefined> {
  await refuseTaken(em, entity, accepted, record.id);
  const difference = applyChanges(record, accepted.values, app.db.clock.now());
  if (!difference) return undefined;
  await flushRecord(em, entity);
  await beforeEvent(difference);
  await recordChange(em, app, call, entity, record.id, difference);
  return difference;
}

export async function deleteRecord<T extends Identified>(
  { em, app, call }: Unit,
  entity: EntitySchema<T>,
  record: T,
  before: object,
  beforeEvent: () => Promise<void> = async () => undefined,
): Promise<void> {
  await em.remove(record).flush();
  await beforeEvent();
  await recordChange(em, app, call, entity, record.id, { before, after: null });
}

async function refuseTaken<T extends object>(em: EntityManager, entity: EntitySchema<T>, accepted: Accepted, ownId: number): Promise<void> {
  refuseErrors({ ...accepted.errors, ...(await takenErrors(em, entity, accepted.values, ownId)) });
}
