import { fieldsInOrder, messageType, optionsOf } from '@store/contract';
import protobuf from 'protobufjs';

/** All values of a field with a closed list, and the known values of one with an open list. */
export function valuesOf(field: protobuf.Field): { allowed: string[]; known: string[] } {
  const { allowed_values, known_values } = optionsOf(field);
  return { allowed: listed(allowed_values), known: listed(known_values) };
}

function listed(values: unknown): string[] {
  return values === undefined ? [] : String(values).split(',');
}

/** The field's sample in the JSON type of its schema. */
export function typedSample(field: protobuf.Field, schema: Record<string, unknown>): unknown {
  return typed(optionsOf(field).sample as string | undefined, schema);
}

/** The default of an omitted field, in the JSON type of its schema. */
export function typedDefault(field: protobuf.Field, schema: Record<string, unknown>): unknown {
  return typed(optionsOf(field).default_value as string | undefined, schema);
}

function typed(text: string | undefined, schema: Record<string, unknown>): unknown {
  if (text === undefined) return undefined;
  if (schema.type === 'boolean') return text === 'true';
  return schema.type === 'integer' || schema.type === 'number' ? Number(text) : text;
}

export const sampleTimestamp = '2026-11-20T12:00:00.000Z';
export const sampleRequestId = '3f0d2c2e-8f0e-4d7e-9a55-1f6d3a9c2b11';
const sampleDate = '2026-11-20';
const sampleDecimal = '1.00';

/** An answer's example: fields that are always present, and those with a sample. */
export function exampleOf(type: protobuf.Type, within: protobuf.Type[] = []): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const field of fieldsInOrder(type)) {
    const value = exampleOfField(field, [...within, type]);
    if (value !== undefined) example[field.name] = value;
  }
  return example;
}

/** Undefined: the example leaves the field out. */
export function exampleOfField(field: protobuf.Field, within: protobuf.Type[] = []): unknown {
  const options = optionsOf(field);
  if (options.scope !== undefined || options.on_request === true) return undefined;
  if (options.sample === '[]') return [];
  const message = options.document === undefined ? field.resolvedType : messageType(options.document as string);
  if (message instanceof protobuf.Type) return exampleOfMessage(field, message, within);
  const value = scalarExample(field);
  if (field.repeated) return options.sample === undefined ? [] : [value];
  if (options.sample !== undefined) return value;
  if (options.nullable === true) return null;
  return field.options?.proto3_optional ? undefined : value;
}

function exampleOfMessage(field: protobuf.Field, type: protobuf.Type, within: protobuf.Type[]): unknown {
  if (within.includes(type)) return field.repeated ? [] : undefined;
  const example = exampleOf(type, within);
  return field.repeated ? [example] : example;
}

function scalarExample(field: protobuf.Field): unknown {
  const options = optionsOf(field);
  const sample = options.sample as string | undefined;
  if (field.type === 'bool') return sample === 'true';
  if (field.type !== 'string') return Number(sample ?? 1);
  if (sample !== undefined) return options.raw_json === true ? JSON.parse(sample) : sample;
  if (options.json_type === 'timestamp') return sampleTimestamp;
  if (options.json_type === 'decimal' || options.json_type === 'rate') return sampleDecimal;
  const { allowed, known } = valuesOf(field);
  return options.json_type === 'date' ? sampleDate : ([...allowed, ...known][0] ?? '');
}
