/** The error answers of the specification (Errors), as far as each endpoint can give them. */
import type { Endpoint } from '@store/contract';
import { missing, notFound, Problem, texts } from '@store/problem';
import type protobuf from 'protobufjs';
import { object, type Schema } from './schemas.ts';

const text: Schema = { type: 'string' };
const textList: Schema = { type: 'array', items: text };
const whole: Schema = { type: 'integer' };

const errorSchema = object({
  title: 'Error',
  description: 'Error bodies are not wrapped in the envelope.',
  properties: {
    error: text,
    code: {
      ...text,
      description: 'Machine-readable reason of plan-related errors.',
      examples: ['feature_not_enabled', 'pos_plan_required', 'onboarding_incomplete'],
    },
    details: { ...text, description: 'What a conflict is about, or the request id of a database error.' },
  },
  required: ['error'],
});

/** The bodies of a 422 by the endpoint's invalid_shape. */
const invalidShapes: Record<string, Schema> = {
  errors: object({
    title: 'ValidationFailed',
    properties: { error: { ...text, description: 'Starts with Validation failed when errors are listed.' }, errors: textList },
    required: ['error'],
  }),
  fields: object({
    title: 'FieldsInvalid',
    properties: {
      error: text,
      errors: {
        description: 'Messages by field; a list of messages when it is the Idempotency-Key that is refused.',
        anyOf: [{ type: 'object', additionalProperties: textList }, textList],
      },
    },
    required: ['error'],
  }),
  message: { $ref: '#/components/schemas/Error' },
  bulk: {
    title: 'BulkUpdateFailed',
    description: 'Products that were saved remain saved.',
    anyOf: [
      object({
        properties: {
          success: { const: false },
          updated_count: whole,
          total_count: whole,
          errors: {
            type: 'array',
            items: object({ properties: { id: whole, name: text, errors: textList }, required: ['id', 'name', 'errors'] }),
          },
        },
        required: ['success', 'updated_count', 'total_count', 'errors'],
      }),
      { $ref: '#/components/schemas/Error' },
    ],
  },
};

const schemaNames: Record<string, string> = {
  errors: 'ValidationFailed',
  fields: 'FieldsInvalid',
  message: 'Error',
  bulk: 'BulkUpdateFailed',
};

export const errorSchemas: Record<string, Schema> = {
  Error: errorSchema,
  ...Object.fromEntries(
    Object.entries(invalidShapes).flatMap(([shape, schema]) => (shape === 'message' ? [] : [[schemaNames[shape]!, schema]])),
  ),
};

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const errorHeaders = { 'X-Request-Id': headerRef('X-Request-Id'), 'X-Error-Code': headerRef('X-Error-Code') };
const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];

function bodyOf(problem: Problem): Record<string, unknown> {
  const { errors, code, details } = problem.extra;
  return { error: problem.message, ...(errors && { errors }), ...(code && { code }), ...(details && { details }) };
}

function response(description: string, schemaName: string, problems: Problem[], headers: Record<string, Schema> = errorHeaders): Schema {
  const examples = Object.fromEntries(problems.map((problem, index) => [`${problem.kind}_${index + 1}`, { value: bodyOf(problem) }]));
  const content = { schema: { $ref: `#/components/schemas/${schemaName}` }, ...(problems.length > 0 ? { examples } : {}) };
  return { description, headers, content: { 'application/json': content } };
}

/** Answers that are the same on every endpoint. */
export const errorResponses: Record<string, Schema> = {
  Unauthorized: response('The key is invalid, expired or revoked; or there is neither a key nor a session.', 'Error', [
    new Problem('unauthenticated', texts.invalidKey),
    new Problem('unauthenticated', texts.noCredentials),
  ]),
  PaymentRequired: response('The store has no active POS subscription, or has not finished onboarding.', 'Error', [
    new Problem('payment_required', texts.noSubscription, { code: 'pos_plan_required' }),
    new Problem('payment_required', texts.onboardingUnfinished, { code: 'onboarding_incomplete' }),
  ]),
  NotFound: response('`<Resource> not found`: there is no such record in the store, or it is deleted.', 'Error', [notFound('Product')]),
  Conflict: response('The record already exists, or the first request with this Idempotency-Key is still being worked on.', 'Error', []),
  TooLarge: response(
    'The body is larger than the endpoint takes (256 KB, bulk writes 5 MB), or holds more than 200,000 JSON values.',
    'Error',
    [new Problem('too_large', texts.tooLarge)],
  ),
  RateLimited: response(
    'The key made more requests in this minute than its limit.',
    'Error',
    [new Problem('rate_limited', texts.rateLimited)],
    {
      ...errorHeaders,
      ...Object.fromEntries(limitHeaders.map((name) => [name, headerRef(name)])),
    },
  ),
  ServerError: response('The request failed on our side; quote the X-Request-Id to support.', 'Error', [
    new Problem('unavailable', texts.unexpected),
    new Problem('database', texts.database, { details: '3f0d2c2e-8f0e-4d7e-9a55-1f6d3a9c2b11' }),
  ]),
};

/** What the operation takes, as far as it decides which errors it can answer. */
export interface Takes {
  body: boolean;
  /** The first parameter or wrapper object that may not be left out. */
  required: protobuf.Field | undefined;
  rowId: boolean;
}

/** The error statuses that the endpoint can answer. */
export function errorsOf(endpoint: Endpoint, takes: Takes): Record<string, Schema> {
  const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const changes = endpoint.verb !== 'GET';
  const found: Record<string, Schema> = { 401: shared('Unauthorized'), 429: shared('RateLimited'), 500: shared('ServerError') };
  if (takes.body || takes.required || takesIdempotencyKey(endpoint)) found[400] = badRequest(takes);
  if (takes.body) found[413] = shared('TooLarge');
  if (takes.rowId) found[404] = shared('NotFound');
  if (changes || endpoint.invalidShape !== 'errors') found[422] = invalidResponse(endpoint);
  found[402] = shared('PaymentRequired');
  found[403] = forbidden(endpoint);
  if (takesIdempotencyKey(endpoint)) found[409] = shared('Conflict');
  return found;
}

export const takesIdempotencyKey = ({ verb, access }: Endpoint): boolean => (verb === 'POST' || verb === 'PATCH') && !access.public;

function badRequest({ body, required }: Takes): Schema {
  return response(
    'A required parameter or the wrapper object is missing, the body is no JSON object, or the Idempotency-Key is malformed.',
    'Error',
    [
      ...(required && !required.repeated ? [missing(required.name)] : []),
      ...(body ? [new Problem('missing_parameter', texts.malformedJson)] : []),
    ],
  );
}

function invalidResponse(endpoint: Endpoint): Schema {
  const name = schemaNames[endpoint.invalidShape];
  if (!name) throw new Error(`${endpoint.rpc}: the 422 has no shape ${endpoint.invalidShape}`);
  return response('The input is invalid; nothing was saved unless the body says so.', name, []);
}

function forbidden(endpoint: Endpoint): Schema {
  const { scope, feature } = endpoint.access;
  const refused = (message: string, code?: string) => new Problem('forbidden', message, code ? { code } : {});
  if (endpoint.access.staffOnly || endpoint.access.public) {
    return response('A key may not call this endpoint, and of staff only some roles may.', 'Error', [
      refused(texts.internal),
      refused(texts.role),
    ]);
  }
  const problems = [
    ...(scope === '' ? [] : [refused(`Insufficient scope. Required: ${scope}`)]),
    ...(endpoint.verb === 'GET' ? [] : [refused(texts.testMode)]),
    refused(`Developer API ${texts.notInPlan}`, 'feature_not_enabled'),
    ...(feature === '' ? [] : [refused(`${feature.charAt(0).toUpperCase()}${feature.slice(1)} ${texts.notInPlan}`, 'feature_not_enabled')]),
  ];
  return response('The key does not hold the scope, is in Test Mode, or the plan lacks the feature.', 'Error', problems);
}
