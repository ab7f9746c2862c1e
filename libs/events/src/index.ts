export { type Consumer, consume, forgetOldInbox } from './consume.ts';
export { emit, eventTables, type NewEvent, type Outbox } from './emit.ts';
export { InProcessTransport } from './in-process.ts';
export { KafkaTransport } from './kafka.ts';
export { createTopics, type KafkaLog, type KafkaOptions, topics } from './kafka-client.ts';
export { type GroupOptions, rewind, type Standing, standingOf } from './kafka-groups.ts';
export type { ActorRecord, AuditRecord, Internal, Message, Subscription, Transport } from './message.ts';
export { type Redriven, redrive } from './redrive.ts';
export { Relay, type RelayOptions } from './relay.ts';
