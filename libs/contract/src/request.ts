/** The request message of what the client sent: scalars as text, which the owning service validates; wrong JSON kinds in `malformed`. */
import protobuf from 'protobufjs';
import { optionsOf, root } from './load.ts';

type Message = Record<string, unknown>;

/**
 * Parses a JSON body; a number whose text may say more than its value (1.10, 1e400) becomes that text, as scalars are text in a message
 * anyway. A reviver takes five times as long.
 */
export function parseBody(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  const quoted = withQuotedNumbers(text);
  return quoted === text ? parsed : JSON.parse(quoted);
}

const nestingMax = 1_000;
/** A double holds every whole number of that many digits. */
const exactDigitsMax = 15;
const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

const opens = (code: number) => code === 0x7b || code === 0x5b;
const closes = (code: number) => code === 0x7d || code === 0x5d;

/** Valid JSON in which each number is a string of its text, but for whole ones that lose nothing. */
function withQuotedNumbers(text: string): string {
  let quoted = '';
  let copied = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === minus || isDigit(code)) {
      const digits = endOfDigits(text, at);
      const end = endOfNumber(text, digits);
      if (end > digits || end - at > exactDigitsMax) {
        quoted += `${text.slice(copied, at)}"${text.slice(at, end)}"`;
        copied = end;
      }
      at = end - 1;
    } else if (opens(code)) {
      depth += 1;
      if (depth > nestingMax) throw new RangeError('the body is nested too deep');
    } else if (closes(code)) depth -= 1;
  }
  return quoted + text.slice(copied);
}

/** Where the string that begins at `from` has its closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}

const afterNumber = new Set([...',]} \t\n\r'].map((char) => char.charCodeAt(0)));

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && !afterNumber.has(text.charCodeAt(at))) at += 1;
  return at;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface InputField {
  name: string;
  /** Type of the message in it; undefined: a scalar. */
  message: protobuf.Type | undefined;
  repeated: boolean;
  /** A wrapper that is required; an empty one counts as missing (D48). */
  required: boolean;
  /** Most items that the list may have; undefined: not a list that clients send. */
  itemsMax: number | undefined;
  /** Only staff write it; from a key it is ignored. */
  staff: boolean;
  /** A new record has a value where the client sends none. */
  hasDefault: boolean;
}

const inputFields = new WeakMap<protobuf.Type, InputField[]>();

/** Fields that only the gateway fills: what was wrong with the body as JSON, and what it held besides. */
export const innerFields = new Set(['malformed', 'empty_lists', 'unknown']);

export function inputFieldsOf(type: protobuf.Type): InputField[] {
  let fields = inputFields.get(type);
  if (!fields) {
    fields = type.fieldsArray
      .filter((field) => !innerFields.has(field.name))
      .map((field) => ({
        name: field.name,
        message: field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined,
        repeated: field.repeated,
        required: optionsOf(field).required === true,
        itemsMax: optionsOf(field).max_items as number | undefined,
        staff: optionsOf(field).staff === true,
        hasDefault: optionsOf(field).default_value !== undefined,
      }));
    inputFields.set(type, fields);
  }
  return fields;
}

/** How many items a client may send in each list of the message of that full name (D200). */
export function itemsMax(name: string): Record<string, number> {
  const lists = inputFieldsOf(root.lookupType(name)).filter((field) => field.repeated);
  return Object.fromEntries(
    lists.map((field) => {
      if (!field.itemsMax) throw new Error(`${name}.${field.name} has no max_items`);
      return [field.name, field.itemsMax];
    }),
  );
}

/** Fills the fields of `type` from a parsed body. Unknown keys are ignored, own keys only. */
export function messageFromBody(type: protobuf.Type, body: Record<string, unknown>): Message {
  const message: Message = {};
  const malformed: string[] = [];
  const empty_lists: string[] = [];
  for (const field of inputFieldsOf(type)) {
    if (!Object.hasOwn(body, field.name)) continue;
    const value = body[field.name];
    if (field.repeated) fillList(message, field, value, malformed, empty_lists);
    else fillOne(message, field, value, malformed, type.fields.empty_lists ? empty_lists : undefined);
  }
  if (malformed.length > 0 && type.fields.malformed) message.malformed = malformed;
  if (empty_lists.length > 0 && type.fields.empty_lists) message.empty_lists = empty_lists;
  return message;
}

/** With `empty_lists`, a wrapper that is sent empty is listed there; otherwise it is malformed, like one that is not an object. */
function fillOne(message: Message, field: InputField, value: unknown, malformed: string[], empty_lists: string[] | undefined): void {
  if (field.message) {
    const filled = isObject(value) && !(field.required && Object.keys(value).length === 0);
    if (filled) message[field.name] = messageFromBody(field.message, value);
    else if (isObject(value) && empty_lists) empty_lists.push(field.name);
    else if (value !== null) malformed.push(field.name);
    return;
  }
  const text = scalarText(value);
  if (text === undefined) malformed.push(field.name);
  else message[field.name] = text;
}

function fillList(message: Message, field: InputField, value: unknown, malformed: string[], empty_lists: string[]): void {
  if (!Array.isArray(value)) {
    malformed.push(field.name);
    return;
  }
  if (value.length === 0) empty_lists.push(field.name);
  // Rows beyond the most change no answer: one too many is refused as thousands are.
  const items = field.message && field.itemsMax ? value.slice(0, field.itemsMax + 1) : value;
  message[field.name] = items.map((item, index) => {
    if (field.message) {
      if (isObject(item)) return messageFromBody(field.message, item);
    } else {
      const text = item === null ? undefined : scalarText(item);
      if (text !== undefined) return text;
    }
    malformed.push(`${field.name}.${index}`);
    return field.message ? {} : '';
  });
}

/** A scalar of the body as its text: numbers keep the source text, null is "". */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return value === null ? '' : undefined;
}

/** A lone surrogate, which protobuf cannot carry, becomes NUL, which every service refuses (D25). */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, '\0');
}

/** Fills the scalar fields of `type` from path parameters and the query (the last of a repeated one wins). */
export function messageFromQuery(type: protobuf.Type, path: Record<string, string>, query: URLSearchParams): Message {
  const message: Message = {};
  for (const [name, value] of query) {
    const field = type.fields[name];
    if (field && !field.repeated && field.type === 'string') message[name] = wellFormed(value);
  }
  return { ...message, ...path };
}
