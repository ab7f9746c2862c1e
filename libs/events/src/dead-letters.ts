/** What could not be carried or handled, kept with the reason until someone sends it round again. */
import type { Message } from './message.ts';

/** A message as a letter keeps it. */
export type KeptMessage = Omit<Message, 'public'> & { public: string | null };

/** Keeps a letter in `schema`; a message that comes back a second time takes the place of its first letter. */
export function insertLetter(schema: string): string {
  return `insert into ${schema}.dead_letters (event_id, topic, message, error) values ($1, $2, $3, $4)
    on conflict (event_id) do update set topic = excluded.topic, message = excluded.message, error = excluded.error, redriven_at = null`;
}

/** The parameters of `insertLetter`. */
export function letterValues(message: Message, error: unknown): [string, string, string, string] {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const kept: KeptMessage = { ...message, public: message.public?.toString('base64') ?? null };
  return [message.id, message.topic, JSON.stringify(kept, storable), storable('', text) as string];
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. No outbox could have held them: only what is not ours has them. */
function storable(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => storable('', name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable('', name) as string, member]));
}
