/** Everything that Kafka holds, read from offset 0 by a separate consumer group. */
import { createHash, randomBytes } from 'node:crypto';
import { topics } from '@store/contract';
import { KafkaTransport, type Message, standingOf } from '@store/events';
import { logErrors } from '@store/testbed/log';
import { until } from '@store/testbed/until';
import type { Carried } from './history.ts';

/** Enough for a long run's log on a busy machine. */
const readWithinMs = 180_000;

/** Messages of events created since then (ISO), as earlier ones were not recorded; and the last event of each record. */
export async function readKafka(
  { brokers, prefix }: { brokers: string; prefix: string },
  since: string,
): Promise<{ carried: Carried[]; last: Message[] }> {
  const options = { brokers: brokers.split(','), prefix, log: logErrors };
  const group = `judge-${randomBytes(4).toString('hex')}`;
  const transport = new KafkaTransport({
    ...options,
    clientId: 'judge',
    onFatal: (error) => {
      throw error;
    },
  });
  const messages: Message[] = [];
  try {
    await transport.subscribe({ group, topics, handle: async (batch) => void messages.push(...batch) });
    const isRead = async () => (await standingOf({ ...options, group, topics })).behind === 0;
    await until(isRead, readWithinMs, () => 'Kafka could not be read to its end in time');
  } finally {
    await transport.stop();
  }
  const watched = messages.filter(({ createdAt }) => createdAt >= since);
  const last = new Map<string, Message>();
  for (const message of watched.filter((one) => one.public !== null)) {
    const record = `${message.topic} ${message.storeId} ${message.aggregate}`;
    if ((message.version ?? 0) >= (last.get(record)?.version ?? 0)) last.set(record, message);
  }
  return { carried: carriedOf(watched), last: [...last.values()] };
}

/** Messages without a partition keep the order in which they came. */
export function carriedOf(messages: Message[]): Carried[] {
  return messages.map((message, index) => ({
    eventId: message.id,
    store: message.storeId,
    topic: message.topic,
    partition: message.at?.partition ?? 0,
    offset: message.at ? Number(message.at.offset) : index,
    record: message.aggregate,
    name: message.name,
    hash: message.public && createHash('sha256').update(message.public).digest('hex'),
  }));
}
