/**
 * Messages as JSON Schemas: answers with the presence that the renderer gives them, bodies with the
 * JSON types that clients send. Every word comes from the protos.
 */
import { optionsOf, root } from '@store/contract';
import protobuf from 'protobufjs';
import { typedSample, valuesOf } from './samples.ts';

export type Schema = Record<string, unknown>;

/** Request fields that only the gateway fills. */
const innerFields = new Set(['misshapen', 'emptied']);

/** Text inputs by the JSON type the documentation shows; a decimal may be sent as its text, which loses nothing. */
const inputTypes: Record<string, Schema> = {
  integer: { type: 'integer' },
  number: { type: ['number', 'string'] },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
};

const outputTypes: Record<string, Schema> = {
  bool: { type: 'boolean' },
  double: { type: 'number' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  string: { type: 'string' },
};

/** Collects the named schemas that operations refer to. */
export class Schemas {
  readonly components: Record<string, Schema> = {};

  /** What an answer holds where the message stands. */
  output(type: protobuf.Type): Schema {
    return this.#named(nameOf(type), () => this.outputObject(type.name, fieldsOf(type), type.comment));
  }

  outputField(field: protobuf.Field): Schema {
    const one = this.#outputOne(field);
    const schema = field.repeated ? { type: 'array', items: one } : optionsOf(field).nullable === true ? orNull(one) : one;
    return described(schema, field);
  }

  /** A message's fields as an object of an answer. */
  outputObject(title: string, fields: protobuf.Field[], comment?: string | null): Schema {
    const properties = Object.fromEntries(fields.map((field) => [field.name, this.outputField(field)]));
    return object({
      title,
      description: sentence(comment),
      properties,
      required: fields.filter(isAlwaysPresent).map((field) => field.name),
    });
  }

  /** What a body holds where the message stands. In a change of a row nothing is required. */
  input(type: protobuf.Type, change: boolean): Schema {
    const relaxed = change && fieldsOf(type).some(isRequired);
    const name = relaxed ? `${nameOf(type).replace(/Input$/, '')}Changes` : nameOf(type);
    return this.#named(name, () => this.inputObject(fieldsOf(type), { title: name, comment: type.comment, relaxed }));
  }

  inputObject(
    fields: protobuf.Field[],
    about: { title?: string; comment?: string | null; relaxed?: boolean; change?: boolean } = {},
  ): Schema {
    const properties = Object.fromEntries(fields.map((field) => [field.name, this.#inputField(field, about.change === true)]));
    const required = about.relaxed ? [] : fields.filter(isRequired).map((field) => field.name);
    return object({ title: about.title, description: sentence(about.comment), properties, required });
  }

  #inputField(field: protobuf.Field, change: boolean): Schema {
    const type = field.resolvedType;
    const one = type instanceof protobuf.Type ? this.input(type, change && !field.repeated) : withExamples(inputType(field), field);
    const schema = field.repeated ? { type: 'array', items: one } : one;
    return described(schema, field);
  }

  #outputOne(field: protobuf.Field): Schema {
    if (field.resolvedType instanceof protobuf.Type) return this.output(field.resolvedType);
    const options = optionsOf(field);
    if (options.raw_json === true) return { type: 'object' };
    const schema = options.json_type === undefined ? outputTypes[field.type] : inputTypes[options.json_type as string];
    if (!schema) throw new Error(`${field.fullName} has no JSON type`);
    return withExamples(schema, field);
  }

  #named(name: string, build: () => Schema): Schema {
    if (!(name in this.components)) {
      this.components[name] = {};
      this.components[name] = build();
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** The fields that clients see, in the order of the proto. */
export function fieldsOf(type: protobuf.Type): protobuf.Field[] {
  return type.fieldsArray.filter((field) => !innerFields.has(field.name)).sort((a, b) => a.id - b.id);
}

export const isRequired = (field: protobuf.Field): boolean => optionsOf(field).required === true;

/** What the renderer writes when the wire has no value decides whether a client may count on the key. */
export function isAlwaysPresent(field: protobuf.Field): boolean {
  const options = optionsOf(field);
  if (options.scope !== undefined) return false;
  if (field.repeated || options.nullable === true) return true;
  return !field.options?.proto3_optional && !(field.resolvedType instanceof protobuf.Type);
}

/** The JSON type of a scalar input. */
export function inputType(field: protobuf.Field): Schema {
  const wanted = optionsOf(field).json_type as string | undefined;
  const schema = wanted === undefined ? { type: 'string' } : inputTypes[wanted];
  if (!schema) throw new Error(`${field.fullName} has no JSON type`);
  return schema;
}

/** A comment as one line. */
export function sentence(comment: string | null | undefined): string | undefined {
  return comment ? comment.replace(/\s*\n\s*/g, ' ').trim() : undefined;
}

/** Two apps may use one name for shapes of their own; then the app is part of it. */
function nameOf(type: protobuf.Type): string {
  const [, app = ''] = type.fullName.slice(1).split('.');
  return (typeNames().get(type.name) ?? 0) > 1 ? `${app.charAt(0).toUpperCase()}${app.slice(1)}${type.name}` : type.name;
}

let counted: Map<string, number> | undefined;

function typeNames(): Map<string, number> {
  if (counted) return counted;
  counted = new Map();
  const visit = (namespace: protobuf.NamespaceBase) => {
    for (const nested of namespace.nestedArray) {
      if (nested instanceof protobuf.Type) counted!.set(nested.name, (counted!.get(nested.name) ?? 0) + 1);
      else if (nested instanceof protobuf.Namespace) visit(nested);
    }
  };
  visit(root);
  return counted;
}

/** An object schema without its empty parts. */
export function object(parts: { title?: string; description?: string; properties: Record<string, Schema>; required: string[] }): Schema {
  const { title, description, properties, required } = parts;
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Known values are examples, never a closed list: new ones may come without a new version. */
function withExamples(schema: Schema, field: protobuf.Field): Schema {
  const sample = typedSample(field, schema);
  const examples = [...(sample === undefined ? [] : [sample]), ...valuesOf(field).filter((value) => value !== sample)];
  return examples.length > 0 ? { ...schema, examples } : schema;
}

function orNull(schema: Schema): Schema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

function described(schema: Schema, field: protobuf.Field): Schema {
  const options = optionsOf(field);
  const scope = options.scope as string | undefined;
  const known = valuesOf(field);
  const notes = [
    sentence(field.comment),
    known.length > 0 ? `Known values: ${known.join(', ')}.` : undefined,
    scope === undefined ? undefined : scope === 'settings:full' ? 'Only for staff.' : `Only for callers that hold ${scope}.`,
    options.staff === true ? 'Written by staff only; from a key it is ignored.' : undefined,
  ].filter((note) => note !== undefined);
  return {
    ...schema,
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...(options.staff === true || scope === 'settings:full' ? { 'x-staff-only': true } : {}),
  };
}
