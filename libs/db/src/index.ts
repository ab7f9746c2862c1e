export type { EntityManager } from '@mikro-orm/postgresql';
export { type Clock, SetClock, serverClock, systemClock } from './clock.ts';
export { afterCommit, type Db, type DbOptions, isUniqueViolation, openDb, sqlState, statements } from './db.ts';
export { type AnswerCodec, forgetOldAnswers, type IdempotentRequest, idempotencyTable, once, type StoredAnswer } from './idempotency.ts';
export { type KeyRing, parseKeyRing, parseSecrets } from './key-ring.ts';
export { keepListening, type ListenOptions, type Tell } from './listen.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export { type AskOne, oneAtATime } from './one-at-a-time.ts';
export { isoTime, keepPlans, likeLiteral, sql, sqlOne } from './sql.ts';
