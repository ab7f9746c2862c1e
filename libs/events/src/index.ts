export { type Consumer, consume, forgetOldInbox, toDeadLetters } from './consume/consume.ts';
export { redrive } from './consume/redrive.ts';
export { eventEntities } from './event-entities.ts';
export { InProcessTransport } from './in-process.ts';
export type { KafkaAccess, KafkaLog, KafkaOptions, KafkaPlace } from './kafka/client.ts';
export { KafkaTransport } from './kafka/kafka-transport.ts';
export { type GroupOptions, standingOf, watchGroups } from './kafka/lag.ts';
export { createTopics, reportWeakTopics, weakTopics } from './kafka/topics.ts';
export { withTimeout } from './kafka/waits.ts';
export {
  type ActorRecord,
  type AuditRecord,
  type CustomerFact,
  type Internal,
  isPositive,
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
export { demandNoBacklog } from './outbox/backlog.ts';
export { ConsumerPace } from './outbox/consumer-pace.ts';
export { emit, eventBytesMax, eventTables, indexOutbox, type NewEvent, type Outbox, storeInInbox } from './outbox/emit.ts';
export { pauseRelays, resumeRelays } from './outbox/outbox-rows.ts';
export { Relay, type RelayOptions } from './outbox/relay.ts';
export { RemoteRelay } from './outbox/remote-relay.ts';
export { retentionDaysDefault } from './timing.ts';
