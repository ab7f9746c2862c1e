export { backlogMax, demandNoBacklog } from './backlog.ts';
export { type Consumer, consume, forgetOldInbox, toDeadLetters } from './consume.ts';
export { emit, eventBytesMax, eventTables, indexOutbox, type NewEvent, type Outbox, type WritesBeside } from './emit.ts';
export { eventEntities } from './event-entities.ts';
export { type GroupWatch, watchGroups } from './group-watch.ts';
export { InProcessTransport } from './in-process.ts';
export { KafkaTransport } from './kafka.ts';
export type { KafkaAccess, KafkaLog, KafkaOptions, KafkaPlace } from './kafka-client.ts';
export { type GroupOptions, rewind, type Standing, standingOf } from './kafka-groups.ts';
export { openReplicas, type Replicas } from './kafka-replicas.ts';
export { createTopics, reportWeakTopics, weakTopics } from './kafka-topics.ts';
export {
  type ActorRecord,
  type AuditRecord,
  type CustomerFact,
  type Internal,
  type Message,
  MessageTooLarge,
  type ReceiptFact,
  type ReceivedLine,
  type RevokedKey,
  revocationFact,
  type SaleFact,
  type Subscription,
  type Transport,
} from './message.ts';
export { type Redriven, redrive } from './redrive.ts';
export { Relay, type RelayOptions } from './relay.ts';
export { RelayElsewhere } from './relay-elsewhere.ts';
export { pauseRelays, resumeRelays } from './relay-pause.ts';
export { retentionDaysDefault } from './retention.ts';
