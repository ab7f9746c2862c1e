import { type Endpoint, optionsOf } from '@store/contract';
import protobuf from 'protobufjs';
import { ownExamples } from './error-examples.ts';
import { errorsOf, headerRefs, limitHeaders, takesIdempotencyKey } from './errors.ts';
import { inputSchema, type Schema } from './field-schema.ts';
import { exampleOfField, sampleRequestId, sampleTimestamp } from './samples.ts';
import { type Audience, isAlwaysPresent, isRequired, object, type Schemas, sentence } from './schemas.ts';
import { tagOf } from './tags.ts';

const statusTexts: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  207: 'At least one row failed; the others are saved.',
};

const exampleMeta = { request_id: sampleRequestId, timestamp: sampleTimestamp };

export interface Part {
  audience: Audience;
  schemas: Schemas;
}

export function operationOf(endpoint: Endpoint, part: Part): Schema {
  const description = sentence(endpoint.description) ?? '';
  const { inPath, inQuery, inBody } = placesOf(endpoint, part.schemas);
  const takes = {
    inBody,
    required: [...inQuery, ...inBody].find(isRequired),
    rowId: inPath.length > 0 || [...inQuery, ...inBody].some(namesRow),
  };
  return {
    operationId: operationId(endpoint),
    tags: [tagOf(endpoint).name],
    summary: description.split(/(?<=\.) /)[0]!.replace(/\.$/, ''),
    description: [description, accessNote(endpoint, part.audience)].join('\n\n'),
    ...(endpoint.deprecation ? { deprecated: true } : {}),
    security: securityOf(endpoint, part.audience),
    parameters: [
      ...inPath.map((field) => parameterOf(field, 'path')),
      ...inQuery.map((field) => parameterOf(field, 'query')),
      { $ref: '#/components/parameters/RequestId' },
      { $ref: '#/components/parameters/Prefer' },
      ...(takesIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(isVersioned(endpoint) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      ...(endpoint.takesIfMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(endpoint.access.dryRun ? [{ $ref: '#/components/parameters/DryRun' }] : []),
      ...(endpoint.onRequest.length > 0 ? [includeParameter(endpoint.onRequest)] : []),
    ],
    ...requestBodyOf(endpoint, inBody, part.schemas),
    responses: { ...successesOf(endpoint, part), ...errorsOf(endpoint, takes, part.audience) },
  };
}

/** The id, such as listProducts; a PUT beside a PATCH is a separate operation. */
function operationId({ rpcName, httpMethod }: Endpoint): string {
  return `${rpcName.charAt(0).toLowerCase()}${rpcName.slice(1)}${httpMethod === 'PUT' ? 'ByPut' : ''}`;
}

/** Path, then query (GET, DELETE) or body (POST, PUT, PATCH), as annotations.proto says. */
function placesOf(endpoint: Endpoint, schemas: Schemas): Record<'inPath' | 'inQuery' | 'inBody', protobuf.Field[]> {
  const named = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const fields = schemas.fieldsOf(endpoint.request);
  const others = fields.filter((field) => !named.has(field.name));
  const queried = endpoint.httpMethod === 'GET' || endpoint.httpMethod === 'DELETE';
  return { inPath: fields.filter((field) => named.has(field.name)), inQuery: queried ? others : [], inBody: queried ? [] : others };
}

/** A required id in the query or wrapper object may name a missing row: 404. Ids in a list's rows are field errors. */
function namesRow(field: protobuf.Field): boolean {
  if (!isRequired(field)) return false;
  if (field.resolvedType instanceof protobuf.Type) return !field.repeated && field.resolvedType.fieldsArray.some(namesRow);
  return optionsOf(field).json_type === 'integer';
}

function parameterOf(field: protobuf.Field, place: 'path' | 'query'): Schema {
  return {
    name: field.name,
    in: place,
    required: place === 'path' || isRequired(field),
    description: sentence(field.comment),
    schema: inputSchema(field),
  };
}

function includeParameter(names: string[]): Schema {
  const description = `Fields to add to the answer, by their names, separated by commas: ${names.join(', ')}.`;
  return { name: 'include', in: 'query', required: false, description, schema: { type: 'string', examples: [names[0]] } };
}

function requestBodyOf(endpoint: Endpoint, fields: protobuf.Field[], schemas: Schemas): Schema {
  if (fields.length === 0) return {};
  const change = (endpoint.httpMethod === 'PATCH' || endpoint.httpMethod === 'PUT') && endpoint.path.includes('{');
  const example = endpoint.example === undefined ? {} : { example: JSON.parse(endpoint.example) as unknown };
  const content = { 'application/json': { schema: schemas.body(fields, change), ...example } };
  return { requestBody: { required: fields.some(isRequired), content } };
}

function accessNote({ access }: Endpoint, audience: Audience): string {
  if (access.public) return 'Needs neither a key nor a session.';
  const plan = access.features.length === 0 ? '' : ` The store's plan must include ${access.features.join(' and ')}.`;
  if (audience === 'staff') return `Role: ${access.role === 'admin' ? 'admin' : `${access.role} or higher`}.${plan}`;
  return `${access.scope === '' ? 'Any key.' : `Scope: \`${access.scope}\`.`}${plan}`;
}

/** The scope of a key or the lowest role of staff, as OpenAPI 3.1 allows for every kind of scheme. */
function securityOf({ access }: Endpoint, audience: Audience): Schema[] {
  if (access.public) return [];
  return audience === 'staff' ? [{ staffSession: [access.role] }] : [{ apiKey: access.scope === '' ? [] : [access.scope] }];
}

function successesOf(endpoint: Endpoint, part: Part): Record<string, Schema> {
  const fields = part.schemas.fieldsOf(endpoint.response);
  const bare = part.audience === 'staff' || endpoint.access.public;
  const shaped = bare ? bareOf(fields, part.schemas) : envelopeOf(fields, part.schemas);
  const headers = headerRefs([
    'X-Request-Id',
    'Preference-Applied',
    ...(part.audience === 'keys' && !endpoint.access.public ? limitHeaders : []),
    ...(takesIdempotencyKey(endpoint) ? ['Idempotency-Replayed'] : []),
    ...(endpoint.record === endpoint.response ? ['ETag'] : []),
    ...(endpoint.list?.walks ? ['Link'] : []),
    ...(endpoint.cuts ? ['X-Truncated'] : []),
    ...(endpoint.access.dryRun ? ['X-Dry-Run'] : []),
    ...(endpoint.deprecation ? ['Deprecation', 'Sunset'] : []),
  ]);
  const answer = (status: number, examples: Schema) => ({
    description: statusTexts[status] ?? 'Success.',
    headers,
    content: { 'application/json': { schema: shaped.schema, ...examples } },
  });
  const others = endpoint.alsoStatus.map((status) => [status, answer(status, otherExamples(endpoint, status, bare))]);
  const unchanged = { description: 'If-None-Match names the version that the record still has.', headers: headerRefs(['ETag']) };
  return Object.fromEntries([
    [endpoint.success, answer(endpoint.success, { example: shaped.example })],
    ...others,
    ...(isVersioned(endpoint) ? [[304, unchanged]] : []),
  ]);
}

/** A record whose GET answers with its ETag. */
const isVersioned = ({ httpMethod, record, response }: Endpoint): boolean => httpMethod === 'GET' && record === response;

function otherExamples(endpoint: Endpoint, status: number, bare: boolean): Schema {
  const named = Object.entries(ownExamples(endpoint, status)).map(([name, body]) => [
    name,
    { value: bare ? body : { data: body, meta: exampleMeta } },
  ]);
  return { examples: Object.fromEntries(named) };
}

/** A staff answer is the endpoint's own response (D155). */
function bareOf(fields: protobuf.Field[], schemas: Schemas) {
  return { schema: ownResponse(fields, schemas), example: examplesOf(fields) };
}

/** "If the endpoint's own response has exactly one top-level key, data is that key's value." */
function envelopeOf(fields: protobuf.Field[], schemas: Schemas) {
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

/** Where only one field is always present, an answer may contain it alone: then data is its value. */
function dataOf(own: protobuf.Field[], schemas: Schemas): Schema {
  if (own.length === 1) return schemas.outputField(own[0]!);
  const whole = { ...ownResponse(own, schemas), description: "The endpoint's own response." };
  const certain = own.filter(isThere);
  if (certain.length !== 1) return whole;
  return { description: "The endpoint's own response.", anyOf: [schemas.outputField(certain[0]!), whole] };
}

/** A message at the top of a response is the answer itself, so it is always present. */
const isThere = (field: protobuf.Field): boolean => isAlwaysPresent(field) || isPlainMessage(field);
const isPlainMessage = (field: protobuf.Field): boolean =>
  field.resolvedType instanceof protobuf.Type && !field.options?.proto3_optional && optionsOf(field).scope === undefined;

function ownResponse(fields: protobuf.Field[], schemas: Schemas): Schema {
  return { ...schemas.outputObject(fields), required: fields.filter(isThere).map((field) => field.name) };
}

function examplesOf(fields: protobuf.Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, exampleOfField(field)]).filter(([, value]) => value !== undefined));
}
