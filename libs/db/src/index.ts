export type { EntityManager } from '@mikro-orm/postgresql';
export { withinBytes } from './bounded-reads.ts';
export { type Clock, ServerClock, SetClock, systemClock } from './clock.ts';
export { decimalColumn, idColumn, newestFirstIndex, storeIdColumn, timeColumn, timeColumns } from './columns.ts';
export { isUniqueViolation, sqlState } from './database-errors.ts';
export { afterCommit, afterRollback, type Db, type DbOptions, openDb, type Read } from './db.ts';
export { schemaDrift } from './drift.ts';
export { addExtensions } from './extensions.ts';
export { foldSums } from './fold-sums.ts';
export { type AnswerCodec, forgetOldAnswers, idempotencyTable, once, type StoredAnswer } from './idempotency.ts';
export { IdempotencyAnswer } from './idempotency-answer.ts';
export { type KeyRing, parseKeyRing, parseSecrets } from './key-ring.ts';
export { keepListening, type ListenOptions, type Notify } from './listen.ts';
export { buildIndexes, type MigrateOptions, migrate } from './migrate.ts';
export { type Numbers, numberBlocks } from './number-blocks.ts';
export { type AskOne, oneAtATime } from './one-at-a-time.ts';
export type { RecordedStatement } from './record-statements.ts';
export {
  applyChanges,
  changedFields,
  type Difference,
  flushRecord,
  lockRecord,
  type Noun,
  newRecord,
  nounOf,
  orRaced,
  raced,
  taken,
  takenFields,
} from './records.ts';
export type { IdempotentRequest } from './request-digest.ts';
export { rest } from './rest.ts';
export { addToTotal, foldTotals, RunningTotal, runningTotal, runningTotalsTable, totalsTimer } from './running-totals.ts';
export { makeSchemaRoles, mayMakeRoles, roleName, roleUrl, type SchemaRole } from './schema-roles.ts';
export { countByKey, keysNamed, reseal, type SealedRows, sealedAnswers } from './sealed-rows.ts';
export { closeSession, newSession, type SessionOptions } from './session.ts';
export { planByValues, sql, sqlUnawaited } from './sql.ts';
export { statements } from './statement.ts';
export {
  type BackgroundOf,
  type BackgroundWork,
  byName,
  columnsOf,
  jsonArrayFrom,
  type Row,
  type Tables,
  tablesOf,
} from './tables.ts';
export { isoTime, likeLiteral } from './text.ts';
