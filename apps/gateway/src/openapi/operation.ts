/** One endpoint as an operation of the document. */
import { type Endpoint, optionsOf } from '@store/contract';
import protobuf from 'protobufjs';
import { errorsOf, takesIdempotencyKey } from './errors.ts';
import { exampleOfField } from './samples.ts';
import { fieldsOf, inputType, isAlwaysPresent, isRequired, object, type Schema, type Schemas, sentence } from './schemas.ts';

const statusTexts: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  207: 'At least one row failed; the others are saved.',
};

const exampleMeta = { request_id: '3f0d2c2e-8f0e-4d7e-9a55-1f6d3a9c2b11', timestamp: '2026-11-20T12:00:00.000Z' };

export function operationOf(endpoint: Endpoint, schemas: Schemas): Schema {
  const description = sentence(endpoint.description) ?? '';
  const { inPath, inQuery, inBody } = placesOf(endpoint);
  const requestBody = requestBodyOf(endpoint, inBody, schemas);
  const takes = {
    body: requestBody !== undefined,
    required: [...inQuery, ...inBody].find(isRequired),
    rowId: inPath.length > 0 || [...inQuery, ...inBody].some(namesRow),
  };
  return {
    operationId: operationId(endpoint),
    tags: [endpoint.app],
    summary: description.split(/(?<=\.) /)[0]!.replace(/\.$/, ''),
    description: [description, accessNote(endpoint)].join('\n\n'),
    security: securityOf(endpoint),
    ...(endpoint.access.staffOnly ? { 'x-staff-only': true } : {}),
    parameters: [
      ...inPath.map((field) => parameterOf(field, 'path')),
      ...inQuery.map((field) => parameterOf(field, 'query')),
      { $ref: '#/components/parameters/RequestId' },
      ...(takesIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successesOf(endpoint, schemas), ...errorsOf(endpoint, takes) },
  };
}

/** listProducts; a PUT beside a PATCH is an operation of its own. */
function operationId({ method, verb }: Endpoint): string {
  return `${method.charAt(0).toLowerCase()}${method.slice(1)}${verb === 'PUT' ? 'ByPut' : ''}`;
}

/** Path, then query (GET, DELETE) or body (POST, PUT, PATCH), as annotations.proto says. */
function placesOf(endpoint: Endpoint): Record<'inPath' | 'inQuery' | 'inBody', protobuf.Field[]> {
  const named = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const fields = fieldsOf(endpoint.request);
  const others = fields.filter((field) => !named.has(field.name));
  const queried = endpoint.verb === 'GET' || endpoint.verb === 'DELETE';
  return { inPath: fields.filter((field) => named.has(field.name)), inQuery: queried ? others : [], inBody: queried ? [] : others };
}

/** A required id beside the path, in the wrapper object too, names a row that may not exist: 404. Those of a list's rows are field errors. */
function namesRow(field: protobuf.Field): boolean {
  if (!isRequired(field)) return false;
  if (field.resolvedType instanceof protobuf.Type) return !field.repeated && fieldsOf(field.resolvedType).some(namesRow);
  return optionsOf(field).json_type === 'integer';
}

function parameterOf(field: protobuf.Field, place: 'path' | 'query'): Schema {
  const description = sentence(field.comment);
  return {
    name: field.name,
    in: place,
    required: place === 'path' || isRequired(field),
    ...(description ? { description } : {}),
    schema: inputType(field),
  };
}

function requestBodyOf(endpoint: Endpoint, fields: protobuf.Field[], schemas: Schemas): Schema | undefined {
  if (fields.length === 0) return undefined;
  const change = (endpoint.verb === 'PATCH' || endpoint.verb === 'PUT') && endpoint.path.includes('{');
  const schema = schemas.inputObject(fields, { change });
  const example = endpoint.example === undefined ? {} : { example: JSON.parse(endpoint.example) as unknown };
  return { required: fields.some(isRequired), content: { 'application/json': { schema, ...example } } };
}

function accessNote({ access }: Endpoint): string {
  if (access.public) return 'Needs neither a key nor a session.';
  const plan = access.feature === '' ? '' : ` The store's plan must include ${access.feature}.`;
  if (access.staffOnly) return `Staff only: ${access.role === 'admin' ? 'admin' : `${access.role} or higher`}.${plan}`;
  if (access.keyOnly) return `Any key.${plan}`;
  return `Scope: ${access.scope === '' ? 'any key' : `\`${access.scope}\``}.${plan}`;
}

function securityOf({ access }: Endpoint): Schema[] {
  if (access.public) return [];
  if (access.staffOnly) return [{ staffSession: [] }];
  return access.keyOnly ? [{ apiKey: [] }] : [{ apiKey: [] }, { staffSession: [] }];
}

function successesOf(endpoint: Endpoint, schemas: Schemas): Record<string, Schema> {
  const fields = fieldsOf(endpoint.response);
  const wrapped = !endpoint.access.staffOnly && !endpoint.access.public;
  const content = wrapped ? envelopeOf(fields, schemas) : bareOf(endpoint.response.name, fields, schemas);
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    ...(takesIdempotencyKey(endpoint) ? { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } } : {}),
  };
  const answer = (status: number, media: Schema) => ({
    description: statusTexts[status] ?? 'Success.',
    headers,
    content: { 'application/json': media },
  });
  // The example is one of plain success.
  const others = endpoint.alsoStatus.map((status) => [status, answer(status, { schema: content.schema })]);
  return Object.fromEntries([[endpoint.success, answer(endpoint.success, content)], ...others]);
}

/** A staff answer is the endpoint's own response (decision D155). */
function bareOf(title: string, fields: protobuf.Field[], schemas: Schemas): Schema {
  return { schema: ownResponse(title, fields, schemas), example: examplesOf(fields) };
}

/** "If the endpoint's own response has exactly one top-level key, data is that key's value." */
function envelopeOf(fields: protobuf.Field[], schemas: Schemas): Schema {
  const own = fields.filter((field) => field.name !== 'pagination');
  const pagination = fields.find((field) => field.name === 'pagination');
  const example = examplesOf(own);
  return {
    schema: object({
      properties: {
        data: dataOf(own, schemas),
        ...(pagination ? { pagination: schemas.outputField(pagination) } : {}),
        meta: { $ref: '#/components/schemas/Meta' },
      },
      required: ['data', ...(pagination ? ['pagination'] : []), 'meta'],
    }),
    example: {
      data: own.length === 1 ? example[own[0]!.name] : example,
      ...(pagination ? { pagination: exampleOfField(pagination) } : {}),
      meta: exampleMeta,
    },
  };
}

/** Where only one field is always there, an answer may hold it alone: then data is its value. */
function dataOf(own: protobuf.Field[], schemas: Schemas): Schema {
  if (own.length === 1) return schemas.outputField(own[0]!);
  const whole = ownResponse(undefined, own, schemas);
  const certain = own.filter(isThere);
  return certain.length === 1 ? { anyOf: [schemas.outputField(certain[0]!), whole] } : whole;
}

/** A message at the top of a response is what the endpoint answers with, so it is there. */
const isThere = (field: protobuf.Field): boolean => isAlwaysPresent(field) || isPlainMessage(field);
const isPlainMessage = (field: protobuf.Field): boolean =>
  field.resolvedType instanceof protobuf.Type && !field.options?.proto3_optional && optionsOf(field).scope === undefined;

function ownResponse(title: string | undefined, fields: protobuf.Field[], schemas: Schemas): Schema {
  const schema = schemas.outputObject(title ?? '', fields);
  return { ...schema, required: fields.filter(isThere).map((field) => field.name) };
}

function examplesOf(fields: protobuf.Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, exampleOfField(field)]).filter(([, value]) => value !== undefined));
}
