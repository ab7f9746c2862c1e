/** The JSON Schema of one value, from the type and the options of its field. */
import { optionsOf } from '@store/contract';
import type protobuf from 'protobufjs';
import { typedDefault, typedSample, valuesOf } from './samples.ts';

export type Schema = Record<string, unknown>;

/** Text fields by the JSON type that json_type names: exactly one each, so that generated clients have one type. */
const inputTypes: Record<string, Schema> = {
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
  decimal: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  rate: { type: 'string', pattern: '^\\d+(\\.\\d{1,4})?$' },
};

/** Answers always have two decimals, rates up to four; a change of a price may be negative. */
const outputTexts: Record<string, Schema> = {
  ...inputTypes,
  decimal: { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' },
  rate: { type: 'string', pattern: '^\\d+\\.\\d{2,4}$' },
};

const outputTypes: Record<string, Schema> = {
  bool: { type: 'boolean' },
  double: { type: 'number', format: 'double' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  string: { type: 'string' },
};

/** A scalar of a body, a path or a query. A change has no defaults: omitted fields keep their values. */
export function inputSchema(field: protobuf.Field, { defaults = true } = {}): Schema {
  const wanted = optionsOf(field).json_type as string | undefined;
  const type = wanted === undefined ? outputTypes.string : inputTypes[wanted];
  if (!type) throw new Error(`${field.fullName} has no JSON type`);
  const value = defaults ? typedDefault(field, type) : undefined;
  return { ...withValues(field, type), ...limitsOf(field), ...(value === undefined ? {} : { default: value }) };
}

export function outputSchema(field: protobuf.Field): Schema {
  const options = optionsOf(field);
  if (options.raw_json === true) return { type: 'object', additionalProperties: true };
  const type = options.json_type === undefined ? outputTypes[field.type] : outputTexts[options.json_type as string];
  if (!type) throw new Error(`${field.fullName} has no JSON type`);
  return { ...withValues(field, type), ...limitsOf(field) };
}

export function listOf(field: protobuf.Field, items: Schema): Schema {
  const { min_items, max_items } = optionsOf(field);
  return {
    type: 'array',
    items,
    ...(min_items === undefined ? {} : { minItems: min_items }),
    ...(max_items === undefined ? {} : { maxItems: max_items }),
  };
}

export function orNull(schema: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum as unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(values ? { enum: [...values, null] } : {}) };
}

/** A closed list of values is an enum; known values are examples, as more may be added without a new version. */
function withValues(field: protobuf.Field, type: Schema): Schema {
  const { allowed, known } = valuesOf(field);
  const sample = typedSample(field, type);
  const examples = [...(sample === undefined ? [] : [sample]), ...known.filter((value) => value !== sample)];
  return { ...type, ...(allowed.length > 0 ? { enum: allowed } : {}), ...(examples.length > 0 ? { examples } : {}) };
}

function limitsOf(field: protobuf.Field): Schema {
  const { minimum, maximum, max_length } = optionsOf(field);
  return {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(max_length === undefined ? {} : { maxLength: max_length }),
  };
}
