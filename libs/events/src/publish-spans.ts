/** Spans of an event's way to its consumers, one for each message of a traced request. */
import { failSpan, openSpan, publicationOf } from '@store/rpc';
import type { Message, Transport } from './message.ts';

type Span = ReturnType<typeof openSpan>;

/** Publishes a batch; consumers and deliveries name its spans as their parents. */
export function published(transport: Transport, batch: Message[]): Promise<void> {
  const spanOf = ({ id, topic, name, requestId }: Message) => {
    const attributes = { 'messaging.destination.name': topic, 'store.event': name, 'store.event_id': id };
    return openSpan(requestId, `publish ${topic}`, { kind: 'PRODUCER', id: publicationOf(id), attributes });
  };
  return inSpans(batch.map(spanOf), () => transport.publish(batch));
}

/** Runs a consumer's work on a batch. */
export function consumed<T>(group: string, batch: Message[], work: () => Promise<T>): Promise<T> {
  const spanOf = ({ id, topic, name, requestId }: Message) => {
    const attributes = { 'messaging.destination.name': topic, 'messaging.consumer.group.name': group, 'store.event': name };
    return openSpan(requestId, `process ${topic}`, { kind: 'CONSUMER', parent: publicationOf(id), attributes });
  };
  return inSpans(batch.map(spanOf), work);
}

async function inSpans<T>(spans: Span[], work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    for (const span of spans) span?.end();
    return result;
  } catch (error) {
    for (const span of spans) failSpan(span, error);
    throw error;
  }
}
