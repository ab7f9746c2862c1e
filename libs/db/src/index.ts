export type { EntityManager } from '@mikro-orm/postgresql';
export { askOf, askPlacement, CannotDistribute, type Placement } from './citus.ts';
export { type Clock, ServerClock, systemClock } from './clock.ts';
export {
  decimalColumn,
  idColumn,
  newestFirstIndex,
  numberedColumn,
  sameStore,
  storeIdColumn,
  storeKeyColumn,
  storeKeyColumns,
  timeColumn,
  timeColumns,
} from './columns.ts';
export { compactSums } from './compact-sums.ts';
export { afterCommit, afterRollback, type Db, type DbOptions, openDb, type Read } from './db.ts';
export { distributeSchema } from './distribute.ts';
export { distributeByStore } from './distribute-by-store.ts';
export { addExtensions } from './extensions.ts';
export { type AnswerCodec, forgetOldAnswers, idempotencyTable, once, type StoredAnswer } from './idempotency.ts';
export { IdempotencyAnswer } from './idempotency-answer.ts';
export { type KeyRing, parseKeyRing, parseSecrets } from './key-ring.ts';
export { keepListening, type ListenOptions, type Notify } from './listen.ts';
export { buildIndexes, type MigrateOptions, migrate, statements } from './migrate.ts';
export { type Numbers, numberBlockColumns, numberBlocks } from './number-blocks.ts';
export { firstRows, withinBytes } from './pg/bounded-reads.ts';
export { isUniqueViolation, sqlState } from './pg/database-errors.ts';
export { type AskOne, oneAtATime } from './pg/one-at-a-time.ts';
export { closeSession, newSession, type SessionOptions } from './pg/session.ts';
export type { Query } from './pg/statement.ts';
export { checkPooler, type DatabaseUrls, UnusablePooler } from './pooler.ts';
export {
  applyChanges,
  camelCase,
  changedFields,
  type Difference,
  flushRecord,
  insertRecord,
  lockRecord,
  newRecord,
  nounOf,
  orRaced,
  raced,
  taken,
  takenErrors,
} from './records.ts';
export type { IdempotentRequest } from './request-digest.ts';
export { addToTotal, compactTotals, RunningTotal, runningTotal, runningTotalsTable, totalsTimer } from './running-totals.ts';
export { makeSchemaRoles, mayMakeRoles, migrationRoleName, roleName, roleUrl, type SchemaRole } from './schema-roles.ts';
export { countByKey, keysNamed, reseal, type SealedRows, sealedAnswers } from './sealed-rows.ts';
export { type Ask, askIn, planByValues, sql, sqlUnawaited } from './sql.ts';
export { dropEarlier, earlierIds, storeColumns } from './store-columns.ts';
export { storeKeys } from './store-keys.ts';
export {
  amongKeys,
  type BackgroundOf,
  type BackgroundWork,
  byName,
  columnsOf,
  jsonArrayFrom,
  type Row,
  type Tables,
  tablesOf,
} from './tables.ts';
export { hasTrigram, isInNoText, isoTime, likeLiteral, searchSeparator, searchText, textCondition } from './text.ts';
export { waitOrAbort } from './wait-or-abort.ts';
