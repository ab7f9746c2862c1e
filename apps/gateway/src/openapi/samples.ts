/** Example values, from the samples that the protos carry. */
import { optionsOf } from '@store/contract';
import protobuf from 'protobufjs';

/** The values of a field that are known; there may be others. */
export function valuesOf(field: protobuf.Field): string[] {
  const known = optionsOf(field).known_values as string | undefined;
  return known === undefined ? [] : known.split(',').map((value) => value.trim());
}

/** The field's sample with the JSON type of its schema. */
export function typedSample(field: protobuf.Field, schema: Record<string, unknown>): unknown {
  const sample = optionsOf(field).sample as string | undefined;
  if (sample === undefined) return undefined;
  if (schema.type === 'boolean') return sample === 'true';
  return schema.type === 'integer' || schema.type === 'number' ? Number(sample) : sample;
}

const sampleTimestamp = '2026-11-20T12:00:00.000Z';
const sampleDate = '2026-11-20';

/** An answer's example: what is always there, and what has a sample. */
export function exampleOf(type: protobuf.Type, within: protobuf.Type[] = []): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const field of [...type.fieldsArray].sort((a, b) => a.id - b.id)) {
    const value = exampleOfField(field, [...within, type]);
    if (value !== undefined) example[field.name] = value;
  }
  return example;
}

/** Undefined: the example leaves the field out. */
export function exampleOfField(field: protobuf.Field, within: protobuf.Type[] = []): unknown {
  const options = optionsOf(field);
  if (options.scope !== undefined) return undefined;
  if (options.sample === '[]') return [];
  if (field.resolvedType instanceof protobuf.Type) return exampleOfMessage(field, field.resolvedType, within);
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
  if (sample !== undefined) return sample;
  if (options.json_type === 'timestamp') return sampleTimestamp;
  return options.json_type === 'date' ? sampleDate : (valuesOf(field)[0] ?? '');
}
