/** Cuts a batch into what may be sent at once. */
import type { TopicMessages, Message as WireMessage } from 'kafkajs';
import { toWire, wireSize } from './kafka-message.ts';
import type { Message } from './message.ts';

/** A broker takes 1 MiB at once into a partition unless it is told otherwise; this leaves room for what is around the messages. */
const sendBytesMax = 900 * 1024;

export interface Wired {
  /** Id of the message. */
  id: string;
  topic: string;
  wire: WireMessage;
}

/** In order, and each small enough for one partition to take all of it: a broker refuses more for ever. */
export function slicesOf(batch: Message[]): Wired[][] {
  const slices: Wired[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of batch) {
    const wire = toWire(message);
    const size = wireSize(wire);
    if (bytes + size > sendBytesMax) {
      slices.push([]);
      bytes = 0;
    }
    slices.at(-1)!.push({ id: message.id, topic: message.topic, wire });
    bytes += size;
  }
  return slices;
}

export function topicsOf(slice: Wired[], prefix: string): TopicMessages[] {
  return [...Map.groupBy(slice, ({ topic }) => topic)].map(([topic, messages]) => ({
    topic: prefix + topic,
    messages: messages.map(({ wire }) => wire),
  }));
}
