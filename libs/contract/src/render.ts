/** The one JSON renderer: from wire bytes to bytes in the order of the proto's fields. Objects between would be most of the work. */
import protobuf from 'protobufjs';
import { encodeView } from './encode.ts';
import { JsonOut } from './json-out.ts';
import { fieldsInOrder, optionsOf } from './load.ts';
import { onRequest } from './on-request.ts';
import { inOrder, WireReader } from './wire-reader.ts';

/** Whether the reader has the scope that a field requires; of a field on request the text is that of `onRequest`. */
export type Holds = (scope: string) => boolean;

/** A field that is present in the answer: its name and its value as JSON text. */
export type Member = [name: string, json: string];

interface FieldPlan {
  number: number;
  name: string;
  /** `"name":` and the same after a comma, written once. */
  first: Buffer;
  next: Buffer;
  repeated: boolean;
  /** Its values may be packed into one part of the wire. */
  packed: boolean;
  scope: string | undefined;
  /** JSON when the wire has no value: a default, `null`, `[]`, or undefined (left out). */
  absent: string | undefined;
  write: (reader: WireReader, out: JsonOut, holds: Holds) => void;
}

interface MessagePlan {
  type: protobuf.Type;
  /** By number, which is the declared order. */
  fields: FieldPlan[];
}

/** The position of a member's value in the written bytes. */
interface Mark {
  name: string;
  start: number;
  end: number;
}

const plans = new WeakMap<protobuf.Type, MessagePlan>();
/** Rendering awaits nothing, so there is one answer at a time. */
const shared = new JsonOut();

/** The members of a message in declared order. Fields whose scope the reader lacks are left out. */
export function renderMembers(type: protobuf.Type, bytes: Uint8Array, holds: Holds): Member[] {
  const marks: Mark[] = [];
  shared.clear();
  writeMessage(planOf(type), new WireReader(bytes), bytes.length, shared, holds, marks);
  return marks.map(({ name, start, end }) => [name, shared.text(start, end)]);
}

/** The items of that member, as JSON texts joined by commas; "" for none. */
export function itemsOf(members: Member[], list: string): string {
  return members.find(([name]) => name === list)?.[1].slice(1, -1) ?? '';
}

/** The name of a message's one repeated field. */
export function listName(type: protobuf.Type): string {
  const field = planOf(type).fields.find(({ repeated }) => repeated);
  if (!field) throw new Error(`${type.fullName} has no repeated field`);
  return field.name;
}

export function renderMessage(type: protobuf.Type, bytes: Uint8Array, holds: Holds): string {
  shared.clear();
  writeMessage(planOf(type), new WireReader(bytes), bytes.length, shared, holds);
  return shared.text(0, shared.end);
}

export function renderView(type: protobuf.Type, view: object, holds: Holds): string {
  return renderMessage(type, encodeView(type, view), holds);
}

const [open, close, openList, closeList, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c] as const;

/** The fields of the plan and those of the wire go side by side; a message in another order is put in order first. */
function writeMessage(plan: MessagePlan, reader: WireReader, end: number, out: JsonOut, holds: Holds, marks?: Mark[]): void {
  const [start, from] = [reader.pos, out.end];
  out.byte(open);
  let index = 0;
  while (reader.pos < end) {
    const tag = reader.small();
    const number = tag >>> 3;
    while (index < plan.fields.length && plan.fields[index]!.number < number) writeAbsent(plan.fields[index++]!, out, holds, marks);
    const field = plan.fields[index];
    if (field?.number === number) {
      index += 1;
      writeField(field, tag, { reader, end, out, holds, marks });
    } else if (index > 0 && plan.fields[index - 1]!.number >= number) {
      const ordered = inOrder(plan.type, reader.bytes.subarray(start, end));
      out.end = from;
      if (marks) marks.length = 0;
      reader.pos = end;
      writeMessage(plan, new WireReader(ordered), ordered.length, out, holds, marks);
      return;
    } else {
      reader.skip(tag & 7);
    }
  }
  while (index < plan.fields.length) writeAbsent(plan.fields[index++]!, out, holds, marks);
  out.byte(close);
}

function writeName(field: FieldPlan, out: JsonOut): void {
  out.copy(out.bytes[out.end - 1] === open ? field.first : field.next);
}

function writeAbsent(field: FieldPlan, out: JsonOut, holds: Holds, marks: Mark[] | undefined): void {
  if (field.absent === undefined || isHidden(field, holds)) return;
  writeName(field, out);
  out.ascii(field.absent);
  marks?.push({ name: field.name, start: out.end - field.absent.length, end: out.end });
}

const isHidden = ({ scope }: FieldPlan, holds: Holds): boolean => scope !== undefined && !holds(scope);

interface Writing {
  reader: WireReader;
  end: number;
  out: JsonOut;
  holds: Holds;
  marks: Mark[] | undefined;
}

function writeField(field: FieldPlan, tag: number, writing: Writing): void {
  const { reader, out, holds, marks } = writing;
  if (isHidden(field, holds)) {
    skipAll(tag, writing);
    return;
  }
  writeName(field, out);
  const start = out.end;
  if (field.repeated) writeList(field, tag, writing);
  else field.write(reader, out, holds);
  marks?.push({ name: field.name, start, end: out.end });
}

function writeList(field: FieldPlan, tag: number, { reader, end, out, holds }: Writing): void {
  out.byte(openList);
  for (let part = tag; part !== 0; part = nextTag(field.number, reader, end)) {
    const stop = field.packed && (part & 7) === 2 ? reader.small() + reader.pos : reader.pos + 1;
    while (reader.pos < stop) {
      if (out.bytes[out.end - 1] !== openList) out.byte(comma);
      field.write(reader, out, holds);
    }
  }
  out.byte(closeList);
}

/** Moves past the next tag where the same field follows, and returns it; otherwise 0. */
function nextTag(number: number, reader: WireReader, end: number): number {
  if (reader.pos >= end) return 0;
  const before = reader.pos;
  const tag = reader.small();
  if (tag >>> 3 === number) return tag;
  reader.pos = before;
  return 0;
}

function skipAll(tag: number, { reader, end }: Writing): void {
  for (let part = tag; part !== 0; part = nextTag(tag >>> 3, reader, end)) reader.skip(part & 7);
}

function planOf(type: protobuf.Type): MessagePlan {
  let plan = plans.get(type);
  if (plan) return plan;
  plan = { type, fields: [] };
  plans.set(type, plan);
  for (const field of fieldsInOrder(type)) plan.fields.push(planField(field));
  return plan;
}

function planField(field: protobuf.Field): FieldPlan {
  const options = optionsOf(field);
  const key = `${JSON.stringify(field.name)}:`;
  return {
    number: field.id,
    name: field.name,
    first: Buffer.from(key),
    next: Buffer.from(`,${key}`),
    repeated: field.repeated,
    packed: field.repeated && field.type in protobuf.types.packed,
    scope: (options.scope as string | undefined) ?? (options.on_request === true ? onRequest(field.name) : undefined),
    absent: absentJson(field, options.nullable === true),
    write: options.raw_json === true ? writeRaw : writer(field),
  };
}

function absentJson(field: protobuf.Field, nullable: boolean): string | undefined {
  if (field.repeated) return '[]';
  if (nullable) return 'null';
  if (field.options?.proto3_optional || field.resolvedType instanceof protobuf.Type) return undefined;
  if (field.type === 'bool') return 'false';
  return field.type === 'string' ? '""' : '0';
}

const writeRaw: FieldPlan['write'] = (reader, out) => {
  const length = reader.small();
  out.raw(reader.bytes, reader.pos, reader.pos + length);
  reader.pos += length;
};

const writeText: FieldPlan['write'] = (reader, out) => {
  const length = reader.small();
  out.string(reader.bytes, reader.pos, reader.pos + length);
  reader.pos += length;
};

function writer(field: protobuf.Field): FieldPlan['write'] {
  if (field.resolvedType instanceof protobuf.Type) {
    const plan = planOf(field.resolvedType);
    return (reader, out, holds) => {
      const length = reader.small();
      writeMessage(plan, reader, reader.pos + length, out, holds);
    };
  }
  switch (field.type) {
    case 'string':
      return writeText;
    case 'bool':
      return (reader, out) => out.ascii(reader.small() === 0 ? 'false' : 'true');
    case 'double':
      return (reader, out) => writeNumber(reader.double(), out);
    case 'int32':
    case 'int64':
      return (reader, out) => {
        const value = reader.integer();
        if (typeof value === 'number') out.integer(value);
        else out.ascii(String(value));
      };
    default:
      throw new Error(`${field.fullName}: the public API has no ${field.type}`);
  }
}

/** JSON has neither NaN nor infinity, and minus zero is written as 0. */
function writeNumber(value: number, out: JsonOut): void {
  if (!Number.isFinite(value)) throw new Error('a number field holds no finite number');
  if (Number.isSafeInteger(value)) out.integer(value);
  else out.ascii(String(value));
}
