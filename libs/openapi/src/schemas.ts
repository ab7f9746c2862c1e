/** Messages as JSON Schemas, answers by the presence rules of the renderer; all texts come from the protos. */
import { declared, fieldsInOrder, fullSettingsScope, innerFields, messageType, optionsOf } from '@store/contract';
import protobuf from 'protobufjs';
import { inputSchema, listOf, orNull, outputSchema, type Schema } from './field-schema.ts';
import { valuesOf } from './samples.ts';

export type Audience = 'keys' | 'staff';

/** Which fields of a body are optional: `new` as the message says, `change` all, `row` all but those its list requires. */
type Variant = { kind: 'new' | 'change' } | { kind: 'row'; requires: string[] };

export class Schemas {
  readonly components: Record<string, Schema> = {};
  readonly #audience: Audience;

  constructor(audience: Audience) {
    this.#audience = audience;
  }

  /** The fields that are visible in this document, in the order of the proto. */
  fieldsOf(type: protobuf.Type): protobuf.Field[] {
    return fieldsInOrder(type).filter((field) => this.#isSeen(field));
  }

  #isSeen(field: protobuf.Field): boolean {
    if (innerFields.has(field.name)) return false;
    const { staff, scope } = optionsOf(field);
    return this.#audience === 'staff' || (staff !== true && scope !== fullSettingsScope);
  }

  output(type: protobuf.Type): Schema {
    return this.named(nameOf(type), (title) => this.outputObject(this.fieldsOf(type), { title, comment: type.comment }));
  }

  outputField(field: protobuf.Field): Schema {
    const one = this.#outputOne(field);
    const schema = field.repeated ? listOf(field, one) : optionsOf(field).nullable === true ? orNull(one) : one;
    return this.#described(schema, field);
  }

  outputObject(fields: protobuf.Field[], about: { title?: string; comment?: string | null } = {}): Schema {
    return object({
      title: about.title,
      description: sentence(about.comment),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.outputField(field)])),
      required: fields.filter(isAlwaysPresent).map((field) => field.name),
    });
  }

  inputObject(fields: protobuf.Field[], variant: Variant, about: { title?: string; comment?: string | null } = {}): Schema {
    return object({
      title: about.title,
      description: sentence(about.comment),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#inputField(field, variant)])),
      required: requiredOf(fields, variant),
    });
  }

  /** A request's body. Its wrapper is required, also in a change. */
  body(fields: protobuf.Field[], change: boolean): Schema {
    const schema = this.inputObject(fields, { kind: change ? 'change' : 'new' });
    const required = fields.filter(isRequired).map((field) => field.name);
    return required.length > 0 ? { ...schema, required } : schema;
  }

  /** Registers a component under its name, which is also its title, and returns a reference. */
  named(name: string, build: (title: string) => Schema): Schema {
    if (!(name in this.components)) {
      this.components[name] = {};
      this.components[name] = build(name);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of a message within a body; a variant that differs from the message has its own name. */
  #input(type: protobuf.Type, wanted: Variant): Schema {
    const fields = this.fieldsOf(type);
    const differs = wanted.kind === 'row' || (wanted.kind === 'change' && fields.some((field) => isRequired(field) || hasDefault(field)));
    const variant: Variant = differs ? wanted : { kind: 'new' };
    const suffix = { new: 'Input', change: 'Changes', row: 'Row' }[variant.kind];
    const name = differs ? `${nameOf(type).replace(/Input$/, '')}${suffix}` : nameOf(type);
    return this.named(name, (title) => this.inputObject(fields, variant, { title, comment: type.comment }));
  }

  #inputField(field: protobuf.Field, variant: Variant): Schema {
    const type = field.resolvedType;
    const one =
      type instanceof protobuf.Type
        ? this.#input(type, variantIn(field, variant))
        : inputSchema(field, { defaults: variant.kind === 'new' });
    return this.#described(field.repeated ? listOf(field, one) : one, field);
  }

  #outputOne(field: protobuf.Field): Schema {
    const documented = optionsOf(field).document as string | undefined;
    if (documented !== undefined) return this.output(messageType(documented));
    return field.resolvedType instanceof protobuf.Type ? this.output(field.resolvedType) : outputSchema(field);
  }

  #described(schema: Schema, field: protobuf.Field): Schema {
    const { known } = valuesOf(field);
    const scope = optionsOf(field).scope as string | undefined;
    const notes = [
      sentence(field.comment),
      optionsOf(field).on_request === true ? 'Sent only where `include` names it.' : undefined,
      known.length > 0 ? `Known values: ${known.join(', ')}.` : undefined,
      scope === undefined || scope === fullSettingsScope ? undefined : costNote[this.#audience],
    ].filter((note) => note !== undefined);
    return notes.length > 0 ? { ...schema, description: notes.join(' ') } : schema;
  }
}

/** The only scope that single fields require (Rules 4). */
const costNote: Record<Audience, string> = {
  keys: 'Sent only to a key that holds costs:read.',
  staff: 'Sent only to staff whose role shows financial data.',
};

/** The rows of a list are new in any body, unless the list states what each must have. */
function variantIn(field: protobuf.Field, variant: Variant): Variant {
  const requires = optionsOf(field).requires as string | undefined;
  if (requires !== undefined) return { kind: 'row', requires: requires.split(',') };
  return field.repeated || variant.kind === 'row' ? { kind: 'new' } : variant;
}

function requiredOf(fields: protobuf.Field[], variant: Variant): string[] {
  if (variant.kind === 'change') return [];
  if (variant.kind === 'row') return variant.requires;
  return fields.filter(isRequired).map((field) => field.name);
}

export const isRequired = (field: protobuf.Field): boolean => optionsOf(field).required === true;
const hasDefault = (field: protobuf.Field): boolean => optionsOf(field).default_value !== undefined;

/** What the renderer writes for a value that is absent on the wire decides whether the key is required. */
export function isAlwaysPresent(field: protobuf.Field): boolean {
  const options = optionsOf(field);
  if (options.scope !== undefined || options.on_request === true) return false;
  if (field.repeated || options.nullable === true) return true;
  return !field.options?.proto3_optional && !(field.resolvedType instanceof protobuf.Type);
}

export function sentence(comment: string | null | undefined): string | undefined {
  const lines = (comment ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ') || undefined;
}

/** Two apps may use the same name for different schemas; then the app becomes part of it. */
function nameOf(type: protobuf.Type): string {
  const [, app = ''] = type.fullName.slice(1).split('.');
  return (typesByName.get(type.name) ?? []).length > 1 ? `${app.charAt(0).toUpperCase()}${app.slice(1)}${type.name}` : type.name;
}

const typesByName = Map.groupBy(declared(protobuf.Type), ({ name }) => name);

/** An object schema without its empty members. */
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
