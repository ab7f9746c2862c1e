/** Every way in which a message can be malformed: each of its parts missing, null, of another type, huge or unknown. */
import type { Message } from '@store/events';
import { fromWire, toWire } from '@store/events/wire';

export interface Malformed {
  /** What is wrong, such as `internal.key.key_id: null`. */
  title: string;
  message: Message;
}

const missing = Symbol('missing');
const hugeText = 'x'.repeat(100_000);
const wrong: [string, unknown][] = [
  ['missing', missing],
  ['null', null],
  ['true', true],
  ['-1', -1],
  ['2^63', 2 ** 63],
  ['a word', 'unknown'],
  ['NaN', 'NaN'],
  ['400 digits', '9'.repeat(400)],
  ['a NUL', 'a\0b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a huge text', hugeText],
  ['an object', {}],
  ['a list', []],
];
/** As JSON text, where a part of the message is JSON. */
const wrongJson = ['{', '', 'null', '5', '"text"', '[]', '{"a":'.repeat(5_000), `{"\\u0000":"\\u0000"}`];

/** As consumers receive them from Kafka; the ids differ. */
export function malformedOf(base: Message, newId: () => string): Malformed[] {
  const fresh = (): Message => ({ ...structuredClone(base), public: base.public && Buffer.from(base.public), id: newId() });
  const messages: Malformed[] = [];
  const add = (title: string, change: (headers: Record<string, unknown>) => void, body?: Buffer | null) => {
    const message = fresh();
    if (message.public) message.public = Buffer.from(message.public.toString().replaceAll(base.id, message.id));
    const wire = toWire(message);
    const headers: Record<string, unknown> = { ...wire.headers };
    change(headers);
    const kept = Object.fromEntries(Object.entries(headers).filter(([, text]) => text !== missing));
    messages.push({ title, message: decoded(base.topic, kept, body === undefined ? message.public : body) });
  };
  for (const name of Object.keys(toWire(base).headers!)) {
    for (const [what, value] of wrong)
      add(`${name}: ${what}`, (headers) => {
        headers[name] = value === missing ? missing : typeof value === 'string' ? value : String(JSON.stringify(value));
      });
  }
  for (const part of ['internal', 'actor']) {
    if (!base[part as 'internal' | 'actor']) continue;
    for (const text of wrongJson)
      add(`${part} is ${text.slice(0, 12)}`, (headers) => {
        headers[part] = text;
      });
    for (const path of pathsIn(base[part as 'internal' | 'actor'])) {
      for (const [what, value] of wrong)
        add(`${part}.${path.join('.')}: ${what}`, (headers) => {
          headers[part] = JSON.stringify(changed(JSON.parse(String(headers[part])), path, value));
        });
    }
  }
  for (const [what, body] of [
    ['no', null],
    ['an empty', Buffer.alloc(0)],
    ['half a', Buffer.from('{"id":')],
    ['a huge', Buffer.from(hugeText)],
    ['a binary', Buffer.from([0, 255, 254])],
  ] as const)
    add(`${what} body`, () => undefined, body);
  return messages;
}

let offset = 0;

function decoded(topic: string, headers: Record<string, unknown>, value: Buffer | null): Message {
  const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(String(text))]));
  return fromWire(topic, 0, {
    key: null,
    value,
    headers: bytes,
    offset: String(++offset),
    timestamp: '0',
    attributes: 0,
    size: 0,
  } as unknown as Parameters<typeof fromWire>[2]);
}

function pathsIn(value: unknown, before: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [[...before, name], ...pathsIn(member, [...before, name])]);
}

function changed(value: unknown, [name, ...rest]: string[], to: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length > 0) copy[name!] = changed(copy[name!], rest, to);
  else if (to === missing) delete copy[name!];
  else copy[name!] = to;
  return copy;
}
