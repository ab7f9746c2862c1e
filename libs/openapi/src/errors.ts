/** The error answers of the specification (Errors) that each endpoint can give. */
import type { Endpoint } from '@store/contract';
import type protobuf from 'protobufjs';
import {
  conflictExamples,
  type Examples,
  forbiddenExamples,
  invalidExamples,
  missingExamples,
  ownExamples,
  sharedExamples,
  tooLargeExamples,
} from './error-examples.ts';
import { bodyShapes } from './error-schemas.ts';
import type { Schema } from './field-schema.ts';
import type { Audience } from './schemas.ts';

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
export const headerRefs = (names: string[]) => Object.fromEntries(names.map((name) => [name, headerRef(name)]));
const errorHeaders = headerRefs(['X-Request-Id', 'X-Error-Code']);
/** Of every answer to a key that asks for them, and of a 429. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function response(description: string, schemaName: string, examples: Examples, headers: Record<string, Schema> = errorHeaders): Schema {
  const values = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  const content = {
    schema: { $ref: `#/components/schemas/${schemaName}` },
    ...(Object.keys(values).length > 0 ? { examples: values } : {}),
  };
  return { description, headers, content: { 'application/json': content } };
}

/** Answers that are the same on every endpoint. */
export const errorResponses: Record<string, Schema> = {
  Unauthorized: response(
    'The key is invalid, expired or revoked; or there is neither a key nor a session.',
    'Error',
    sharedExamples.unauthorized,
  ),
  PaymentRequired: response(
    'The store has no active POS subscription, or has not finished onboarding.',
    'Error',
    sharedExamples.paymentRequired,
  ),
  NotFound: response('There is no such record in the store, or it is deleted.', 'Error', sharedExamples.notFound),
  UnknownParameter: response(
    'With Prefer: handling=strict, a parameter that the endpoint does not take; or, in after, text that is no cursor. Nothing was done.',
    'ValidationFailed',
    sharedExamples.unknownParameter,
  ),
  RecordChanged: response(
    'The record was changed since the answer whose ETag If-Match has. Nothing was done. Staff are told who changed it last, and when.',
    'RecordChanged',
    sharedExamples.recordChanged,
  ),
  RateLimited: response('More requests in this minute than the limit.', 'Error', sharedExamples.rateLimited, {
    ...errorHeaders,
    ...headerRefs([...limitHeaders, 'Retry-After']),
  }),
  Backlog: response(
    'More than 20,000 events of the store wait to be published. Nothing was done; endpoints that change one record go on. Repeat it after Retry-After, with its Idempotency-Key.',
    'Error',
    sharedExamples.backlog,
    { ...errorHeaders, 'Retry-After': headerRef('Retry-After') },
  ),
  ServerError: response(
    'The request failed on our side; quote the X-Request-Id to support. With Retry-After, a part of the API is down or has too much to do: repeat it later, a POST or PATCH with its Idempotency-Key.',
    'Error',
    sharedExamples.serverError,
    { ...errorHeaders, 'Retry-After': headerRef('Retry-After') },
  ),
};

export interface Takes {
  inBody: protobuf.Field[];
  /** The first required parameter or wrapper object. */
  required: protobuf.Field | undefined;
  rowId: boolean;
}

export function errorsOf(endpoint: Endpoint, takes: Takes, audience: Audience): Record<string, Schema> {
  const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const found: Record<string, Schema> = { 401: shared('Unauthorized'), 429: shared('RateLimited'), 500: shared('ServerError') };
  const hasBody = takes.inBody.length > 0;
  if (hasBody || takes.required || takesIdempotencyKey(endpoint)) found[400] = badRequest(takes);
  else if (shows(endpoint, 400)) found[400] = response('A parameter has another format.', 'Error', ownExamples(endpoint, 400));
  if (shows(endpoint, 401)) found[401] = response('The login is refused.', 'Error', ownExamples(endpoint, 401));
  if (hasBody) found[413] = tooLarge(endpoint);
  if (takes.rowId || shows(endpoint, 404)) found[404] = shared('NotFound');
  found[422] = canBeInvalid(endpoint) ? invalidResponse(endpoint, takes) : shared('UnknownParameter');
  found[402] = shared('PaymentRequired');
  found[403] = forbidden(endpoint, audience);
  if (takesIdempotencyKey(endpoint)) found[409] = conflict(endpoint);
  if (endpoint.takesIfMatch) found[412] = shared('RecordChanged');
  if (endpoint.bulk) found[503] = shared('Backlog');
  return found;
}

const shows = ({ answerExamples }: Endpoint, wanted: number): boolean => answerExamples.some(({ status }) => status === wanted);

export const takesIdempotencyKey = ({ httpMethod, access }: Endpoint): boolean =>
  (httpMethod === 'POST' || httpMethod === 'PATCH') && !access.public;

/** A GET or DELETE can answer it where its proto says so. */
function canBeInvalid({ httpMethod, invalidShape, answerExamples }: Endpoint): boolean {
  if (httpMethod === 'GET') return invalidShape !== 'errors';
  return httpMethod !== 'DELETE' || answerExamples.some(({ status }) => status === 422);
}

function badRequest(takes: Takes): Schema {
  return response(
    'A required parameter or the wrapper object is missing, the body is no JSON object, or the Idempotency-Key is malformed.',
    'Error',
    missingExamples(takes),
  );
}

function tooLarge({ bodyBytesMax }: Endpoint): Schema {
  const text = `The body is larger than ${bodyBytesMax / 1024} KB, or holds more than 200,000 JSON values.`;
  return response(text, 'Error', tooLargeExamples);
}

function invalidResponse(endpoint: Endpoint, takes: Takes): Schema {
  const name = bodyShapes[endpoint.invalidShape];
  if (!name) throw new Error(`${endpoint.rpc}: the 422 has no shape ${endpoint.invalidShape}`);
  return response(invalidText(endpoint), name, invalidExamples(endpoint, takes.inBody));
}

function invalidText({ invalidShape }: Endpoint): string {
  if (invalidShape === 'bulk') return 'Some products failed, the others were saved; or the input is invalid and nothing was saved.';
  if (invalidShape === 'ping') return 'The test event could not be delivered: there was no response.';
  return 'The input is invalid; nothing was saved.';
}

function conflict(endpoint: Endpoint): Schema {
  const text = 'Another request took a unique value first, or the first request with this Idempotency-Key is still in progress.';
  return response(text, 'Error', conflictExamples(endpoint));
}

function forbidden(endpoint: Endpoint, audience: Audience): Schema {
  const text =
    audience === 'staff'
      ? 'The role does not allow it, or the plan lacks the feature.'
      : 'The key does not hold the scope, is in Test Mode, or the plan lacks the feature.';
  return response(text, 'Error', forbiddenExamples(endpoint, audience));
}
