/** A message on the wire: the webhook body is the value, byte for byte; the rest are headers. */
import { createHash } from 'node:crypto';
import type { IHeaders, KafkaMessage, TopicMessages, Message as WireMessage } from 'kafkajs';
import type { ActorRecord, Message } from '../message.ts';

export function toWire(message: Message): WireMessage {
  return {
    key: `${message.storeId}:${message.aggregate}`,
    value: message.public,
    headers: {
      id: message.id,
      store_id: String(message.storeId),
      event: message.name,
      aggregate: message.aggregate,
      actor: JSON.stringify(message.actor),
      request_id: message.requestId,
      created_at: message.createdAt,
      ...(message.version !== undefined && { version: String(message.version) }),
      ...(message.internal && { internal: JSON.stringify(message.internal) }),
    },
  };
}

/** The most bytes that Kafka adds around a message and its headers. */
const overhead = 200;

function wireSize({ value, headers = {} }: WireMessage): number {
  let bytes = overhead + (value?.length ?? 0);
  // A character of a header takes at most three bytes.
  for (const text of Object.values(headers)) bytes += 3 * (text?.length ?? 0);
  return bytes;
}

/** A broker accepts 1 MiB at once per partition by default; this leaves room for framing. */
const sendBytesMax = 900 * 1024;

export interface Wired {
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

/**
 * An unreadable message is passed on, so that the consumer stores it as a dead letter. The parts for services are decoded when first
 * read: most messages concern most consumers by name alone.
 */
export function fromWire(topic: string, partition: number, wire: KafkaMessage): Message {
  const at = { partition, offset: wire.offset };
  try {
    const header = headerReader(wire.headers);
    const internal = header('internal', '');
    const version = header('version', '');
    const message: Message = {
      id: uuid(header('id')),
      topic,
      storeId: wholeNumber(header('store_id'), 'store_id'),
      name: header('event'),
      aggregate: header('aggregate'),
      public: wire.value,
      internal: null,
      actor: systemActor,
      requestId: header('request_id'),
      createdAt: header('created_at'),
      ...(version !== '' && { version: wholeNumber(version, 'version') }),
      at,
    };
    if (internal !== '') decodeLater(message, 'internal', internal);
    decodeLater(message, 'actor', header('actor'));
    return message;
  } catch (error) {
    return unreadable(topic, at, wire, error);
  }
}

const systemActor: ActorRecord = { type: 'system', key: null, user: null };

/** Decoded once. Text that is no JSON makes the message unreadable and throws, so that its reader stores it as a dead letter. */
function decodeLater(message: Message, name: 'internal' | 'actor', text: string): void {
  const keep = (value: unknown) => Object.defineProperty(message, name, { value, enumerable: true, configurable: true, writable: true });
  const absent = message[name];
  Object.defineProperty(message, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      try {
        keep(JSON.parse(text));
      } catch (error) {
        keep(absent);
        message.unreadable = `the header ${name} is no JSON: ${(error as Error).message}`;
        throw error;
      }
      return message[name];
    },
  });
}

function headerReader(headers: IHeaders | undefined): (name: string, fallback?: string) => string {
  return (name, fallback) => {
    const value = headers?.[name];
    if (value !== undefined && !Array.isArray(value)) return value.toString();
    if (fallback !== undefined) return fallback;
    throw new Error(`the header ${name} is missing`);
  };
}

function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw new Error('the header id is no UUID');
  return text;
}

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`the header ${name} is no whole number`);
  return value;
}

/** The id is derived from topic, partition and offset, so that reading the message again gives the same id. */
function unreadable(topic: string, at: { partition: number; offset: string }, wire: KafkaMessage, error: unknown): Message {
  const digest = createHash('sha256').update(`${topic}:${at.partition}:${at.offset}`).digest('hex');
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
  return {
    id,
    topic,
    storeId: 0,
    name: '',
    aggregate: '',
    public: wire.value,
    internal: null,
    actor: systemActor,
    requestId: '',
    createdAt: new Date(Number(wire.timestamp) || 0).toISOString(),
    at,
    unreadable: error instanceof Error ? error.message : String(error),
  };
}
