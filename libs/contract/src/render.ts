/**
 * The one JSON renderer, shared by the gateway (answers) and the event emitter (webhook bodies). It
 * reads a message's wire bytes and writes JSON text in the order in which the proto declares the
 * fields, without an intermediate object, which on a list of products would be most of the gateway's work.
 */
import protobuf from 'protobufjs';
import { optionsOf } from './load.ts';

/** Whether the reader has the scope that a field requires. */
export type Holds = (scope: string) => boolean;

/** A field that is present in the answer: its name and its value as JSON text. */
export type Member = [name: string, json: string];

interface FieldPlan {
  name: string;
  /** `"name":`, written once. */
  key: string;
  index: number;
  repeated: boolean;
  scope: string | undefined;
  /** JSON when the wire has no value: a default, `null`, `[]`, or undefined (left out). */
  absent: string | undefined;
  read: (reader: protobuf.Reader, holds: Holds) => string;
}

interface MessagePlan {
  fields: FieldPlan[];
  byNumber: (FieldPlan | undefined)[];
}

const plans = new WeakMap<protobuf.Type, MessagePlan>();

/** The members of a message in declared order. Fields whose scope the reader lacks are left out. */
export function renderMembers(type: protobuf.Type, bytes: Uint8Array, holds: Holds): Member[] {
  const plan = planOf(type);
  const slots = readSlots(plan, protobuf.Reader.create(bytes), bytes.length, holds);
  const members: Member[] = [];
  for (const field of plan.fields) {
    const json = jsonOf(field, slots[field.index], holds);
    if (json !== undefined) members.push([field.name, json]);
  }
  return members;
}

/** The items of a message's one repeated field, as JSON texts joined by commas; "" for none. */
export function renderItems(type: protobuf.Type, bytes: Uint8Array, holds: Holds): string {
  const plan = planOf(type);
  const field = plan.fields.find(({ repeated }) => repeated);
  if (!field) throw new Error(`${type.fullName} has no repeated field`);
  return readSlots(plan, protobuf.Reader.create(bytes), bytes.length, holds)[field.index] ?? '';
}

/** A message as JSON text. */
export function renderMessage(type: protobuf.Type, bytes: Uint8Array, holds: Holds): string {
  return render(planOf(type), protobuf.Reader.create(bytes), bytes.length, holds);
}

/** A view (a message object) as JSON text. */
export function renderView(type: protobuf.Type, view: object, holds: Holds): string {
  return renderMessage(type, type.encode(view).finish(), holds);
}

function render(plan: MessagePlan, reader: protobuf.Reader, end: number, holds: Holds): string {
  const slots = readSlots(plan, reader, end, holds);
  let json = '';
  for (const field of plan.fields) {
    const value = jsonOf(field, slots[field.index], holds);
    if (value !== undefined) json += json === '' ? field.key + value : `,${field.key}${value}`;
  }
  return `{${json}}`;
}

function jsonOf(field: FieldPlan, slot: string | undefined, holds: Holds): string | undefined {
  if (field.scope !== undefined && !holds(field.scope)) return undefined;
  if (slot === undefined) return field.absent;
  return field.repeated ? `[${slot}]` : slot;
}

function readSlots(plan: MessagePlan, reader: protobuf.Reader, end: number, holds: Holds): (string | undefined)[] {
  const slots: (string | undefined)[] = new Array(plan.fields.length);
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = plan.byNumber[tag >>> 3];
    if (field === undefined) {
      reader.skipType(tag & 7);
    } else if (!field.repeated) {
      slots[field.index] = field.read(reader, holds);
    } else if ((tag & 7) === 2 && isPacked(field)) {
      const stop = reader.uint32() + reader.pos;
      while (reader.pos < stop) append(slots, field.index, field.read(reader, holds));
    } else {
      append(slots, field.index, field.read(reader, holds));
    }
  }
  return slots;
}

function append(slots: (string | undefined)[], index: number, json: string): void {
  const before = slots[index];
  slots[index] = before === undefined ? json : `${before},${json}`;
}

const packedReaders = new WeakSet<FieldPlan>();
const isPacked = (field: FieldPlan): boolean => packedReaders.has(field);

function planOf(type: protobuf.Type): MessagePlan {
  let plan = plans.get(type);
  if (plan) return plan;
  plan = { fields: [], byNumber: [] };
  plans.set(type, plan);
  const declared = [...type.fieldsArray].sort((a, b) => a.id - b.id);
  for (const field of declared) {
    const planned = planField(field, plan.fields.length);
    if (field.repeated && field.packed && field.type in protobuf.types.packed) packedReaders.add(planned);
    plan.fields.push(planned);
    plan.byNumber[field.id] = planned;
  }
  return plan;
}

function planField(field: protobuf.Field, index: number): FieldPlan {
  const options = optionsOf(field);
  return {
    name: field.name,
    key: `${JSON.stringify(field.name)}:`,
    index,
    repeated: field.repeated,
    scope: options.scope as string | undefined,
    absent: absentJson(field, options.nullable === true),
    read: options.raw_json === true ? (reader) => reader.string() : reader(field),
  };
}

function absentJson(field: protobuf.Field, nullable: boolean): string | undefined {
  if (field.repeated) return '[]';
  if (nullable) return 'null';
  if (field.options?.proto3_optional || field.resolvedType instanceof protobuf.Type) return undefined;
  if (field.type === 'bool') return 'false';
  return field.type === 'string' ? '""' : '0';
}

function reader(field: protobuf.Field): FieldPlan['read'] {
  if (field.resolvedType instanceof protobuf.Type) {
    const plan = planOf(field.resolvedType);
    return (source, holds) => render(plan, source, source.uint32() + source.pos, holds);
  }
  switch (field.type) {
    case 'string':
      return (source) => jsonString(source.string());
    case 'bool':
      return (source) => (source.bool() ? 'true' : 'false');
    case 'double':
      return (source) => jsonNumber(source.double());
    case 'int32':
      return (source) => String(source.int32());
    case 'int64':
      return (source) => String(source.int64());
    default:
      throw new Error(`${field.fullName}: the public API has no ${field.type}`);
  }
}

/** JSON has neither NaN nor infinity, and minus zero is written as 0. */
function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error('a number field holds no finite number');
  return value === 0 ? '0' : String(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON must escape.
const plainText = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

/** Most texts need no escaping; this test is several times cheaper than JSON.stringify. */
function jsonString(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}
