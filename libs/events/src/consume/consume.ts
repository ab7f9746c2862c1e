/**
 * A batch, its inbox rows and its effects are one transaction, so a repeated batch changes nothing. What cannot be handled goes to
 * dead_letters.
 */
import { type Db, type EntityManager, planByValues, sql, sqlState } from '@store/db';
import type { Message } from '../message.ts';
import { consumed } from '../publish-spans.ts';
import { inboxDays } from '../timing.ts';
import { insertLetter, letterValues } from './dead-letters.ts';
import { partsOf, takeParts } from './parts-of-stores.ts';

export interface Consumer {
  db: Db;
  /** Effects of messages that are new to this consumer, in order. */
  handle(em: EntityManager, messages: Message[]): Promise<void>;
  /** Whether the message concerns this consumer; other messages are skipped without a statement. */
  wants(message: Message): boolean;
  /**
   * Those whose effect is not there yet, asked without a transaction. Such an effect must carry a version of its own, as the inbox does
   * not learn of what is left out. Absent: all.
   */
  pending?(messages: Message[]): Promise<Message[]>;
  /** Receives, for each batch, those of its messages that went into a transaction. */
  took?(messages: Message[]): void;
  log: { error(fields: object, message: string): void };
}

const triesMax = 5;

/** The handler to subscribe with. Rejects only for a failure on our side; the transport then delivers the batch again. */
export function consume(consumer: Consumer): (batch: Message[]) => Promise<void> {
  return async (batch) => {
    const concerned = await wantedOf(consumer, batch);
    const wanted = concerned.length > 0 && consumer.pending ? await consumer.pending(concerned) : concerned;
    const parts = await partsOf(consumer.db, wanted);
    await takeParts(consumer.db, parts, (part) => consumed(consumer.db.schema, part, () => takeAll(consumer, part)));
    consumer.took?.(wanted);
  };
}

/** One of a batch that fails is bad: its halves are handled by themselves, still in order, until it is found. */
async function takeAll(consumer: Consumer, batch: Message[]): Promise<void> {
  if (batch.length === 1) return takeOrSetAside(consumer, batch[0]!);
  try {
    await take(consumer, batch);
  } catch (error) {
    if (!isOfMessage(error)) throw error;
    const half = Math.ceil(batch.length / 2);
    await takeAll(consumer, batch.slice(0, half));
    await takeAll(consumer, batch.slice(half));
  }
}

async function wantedOf(consumer: Consumer, batch: Message[]): Promise<Message[]> {
  const wanted: Message[] = [];
  for (const message of batch) {
    try {
      if (message.unreadable !== undefined) throw new Error(message.unreadable);
      if (consumer.wants(message)) wanted.push(message);
    } catch (error) {
      await toDeadLetters(consumer, message, error);
    }
  }
  return wanted;
}

async function take(consumer: Consumer, batch: Message[]): Promise<void> {
  const { db } = consumer;
  await db.unit(0, async (em) => {
    planByValues(em, batch.length);
    const rows = await sql<{ event_id: string }>(
      em,
      `insert into ${db.schema}.inbox (store_id, event_id) select distinct * from unnest($1::bigint[], $2::uuid[])
       on conflict do nothing returning event_id::text`,
      [batch.map(({ storeId }) => storeId), batch.map(({ id }) => id)],
    );
    const fresh = new Set(rows.map((row) => row.event_id));
    const unseen = batch.filter((message) => fresh.delete(message.id));
    if (unseen.length > 0) await consumer.handle(em, unseen);
  });
}

async function takeOrSetAside(consumer: Consumer, message: Message): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await take(consumer, [message]);
    } catch (error) {
      if (!isOfMessage(error)) throw error;
      if (attempt < triesMax) continue;
      return toDeadLetters(consumer, message, error);
    }
  }
}

/** Stores a message that cannot be handled as a dead letter, so that the next one can be handled. */
export async function toDeadLetters({ db, log }: Pick<Consumer, 'db' | 'log'>, message: Message, error: unknown): Promise<void> {
  log.error(
    { err: error, event_id: message.id, topic: message.topic, at: message.at },
    'A message could not be handled and went to dead_letters',
  );
  await db.unit(0, (em) => sql(em, insertLetter(db.schema), letterValues(message, error)));
}

/** Classes of SQLSTATE that values of a message can cause: data exceptions and violated constraints. */
const ofValues = ['22', '23'];

/** False: whatever else fails in PostgreSQL, such as a lost connection or a schema that is being changed; the batch is tried again. */
function isOfMessage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return ofValues.includes(state.slice(0, 2));
  return !(error instanceof Error && 'kind' in error && error.kind === 'database');
}

export async function forgetOldInbox(db: Db, retentionDays: number): Promise<void> {
  await db.unit(0, async (em) => {
    planByValues(em);
    await sql(em, `delete from ${db.schema}.inbox where received_at < now() - make_interval(days => $1)`, [inboxDays(retentionDays)]);
  });
}
