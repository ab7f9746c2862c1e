/** Splits a batch into slices that may be sent at once. */
import type { TopicMessages, Message as WireMessage } from 'kafkajs';
import type { Message } from '../message.ts';
import { toWire, wireSize } from './wire.ts';

/** A broker accepts 1 MiB at once per partition by default; this leaves room for framing. */
const sendBytesMax = 900 * 1024;

export interface Wired {
  /** Id of the message. */
  id: string;
  topic: string;
  wire: WireMessage;
}

/** In order, and each small enough even if all of it goes to one partition: a broker refuses larger ones permanently. */
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
