/** Spans of an event's way to its consumers. */
import { failSpan, openSpan, publicationOf } from '@store/rpc';
import type { Message, Transport } from './message.ts';

/** Publishes a batch; each message of a traced request has a span, which its consumers and deliveries name as their parent. */
export async function published(transport: Transport, batch: Message[]): Promise<void> {
  const spans = batch.flatMap(({ id, topic, name, requestId }) => {
    const attributes = { 'messaging.destination.name': topic, 'store.event': name, 'store.event_id': id };
    return openSpan(requestId, `publish ${topic}`, { kind: 'PRODUCER', id: publicationOf(id), attributes }) ?? [];
  });
  try {
    await transport.publish(batch);
  } catch (error) {
    for (const span of spans) failSpan(span, error);
    throw error;
  }
  for (const span of spans) span.end();
}

/** Runs a consumer's work on a batch inside a span for each message of a traced request. */
export async function consumed<T>(group: string, batch: Message[], work: () => Promise<T>): Promise<T> {
  const spans = batch.flatMap(({ id, topic, name, requestId }) => {
    const attributes = { 'messaging.destination.name': topic, 'messaging.consumer.group.name': group, 'store.event': name };
    return openSpan(requestId, `process ${topic}`, { kind: 'CONSUMER', parent: publicationOf(id), attributes }) ?? [];
  });
  try {
    return await work();
  } catch (error) {
    for (const span of spans) failSpan(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}
