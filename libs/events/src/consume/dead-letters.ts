/** Messages that could not be published or handled, kept with the reason until an operator sends them again. */
import type { Message } from '../message.ts';

export type KeptMessage = Omit<Message, 'public'> & { public: string | null };

/** Stores a dead letter in `schema`; a message that fails again replaces its first letter. */
export function insertLetter(schema: string): string {
  return `insert into ${schema}.dead_letters (event_id, topic, message, error) values ($1, $2, $3, $4)
    on conflict (event_id) do update set topic = excluded.topic, message = excluded.message, error = excluded.error, redriven_at = null`;
}

export function letterValues(message: Message, error: unknown): [string, string, string, string] {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  readAll(message);
  const kept: KeptMessage = { ...message, public: message.public?.toString('base64') ?? null };
  return [message.id, message.topic, JSON.stringify(kept, storable), storable('', text) as string];
}

/** Decodes what no reader has read. A part that is no JSON marks the message as unreadable, and the letter is kept without it. */
function readAll(message: Message): void {
  for (const part of ['internal', 'actor'] as const) {
    try {
      void message[part];
    } catch {
      // The message says so itself from now on (`unreadable`); the letter's error stays the one that set it aside.
    }
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. No outbox row can hold them, so only foreign messages do. */
function storable(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => storable('', name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable('', name) as string, member]));
}
