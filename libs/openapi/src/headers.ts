import type { Schema } from './field-schema.ts';

const text = { type: 'string' };
const whole = { type: 'integer', format: 'int64' };

export const headers: Record<string, Schema> = {
  'X-Request-Id': { description: 'Id of the request; the same as request_id in meta.', schema: text },
  'X-Error-Code': { description: 'Machine-readable kind of the error.', schema: text },
  'Idempotency-Replayed': {
    description: 'true when the stored answer of an earlier request with this Idempotency-Key was sent.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'Version of the record as it is answered; for If-Match and If-None-Match.', schema: text },
  Link: { description: 'With after: the next page, as <…>; rel="next" (RFC 8288). Absent on the last page.', schema: text },
  'X-Truncated': {
    description: 'true when the list was cut at its limit; absent otherwise.',
    schema: { type: 'string', const: 'true' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per minute.', schema: whole },
  'X-Dry-Run': { description: 'true when the request was only tried; absent otherwise.', schema: { type: 'boolean', const: true } },
  'Preference-Applied': {
    description: 'What the request preferred and got: handling=strict, ratelimit, or both; absent otherwise.',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window: 0 with a 429.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'End of the current window in Unix seconds.', schema: whole },
  Deprecation: { description: 'Since when the endpoint is deprecated, as @ and Unix seconds (RFC 9745).', schema: text },
  Sunset: { description: 'From when on the endpoint may be gone (RFC 8594).', schema: text },
  'Retry-After': { description: 'Seconds to wait: those left in the window after a 429.', schema: { type: 'integer', minimum: 1 } },
};

const inHeader = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

export const parameters: Record<string, Schema> = {
  RequestId: inHeader(
    'X-Request-Id',
    'An id of your own for the request: 8 to 128 letters, digits, dots, underscores and hyphens. Another one is made when it is absent or anything else.',
  ),
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    'Makes a repeated request safe for 24 hours: the same key with the same body is answered with the stored answer and changes nothing; with another body it is a 422.',
    { type: 'string', pattern: '^[!-~]{1,255}$' },
  ),
  IfNoneMatch: inHeader(
    'If-None-Match',
    'The ETag of an earlier answer: while the record has that version, the answer is a 304 without a body.',
  ),
  IfMatch: inHeader(
    'If-Match',
    'The ETag of an earlier answer: when the record was changed since, nothing is done and the answer is a 412.',
  ),
  Prefer: inHeader(
    'Prefer',
    'handling=strict: parameters and body fields that the endpoint does not take are a 422 that names them; in a row of bulk_upsert they fail the row. Without it they are ignored. ratelimit: every answer to a key has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset, not a 429 only.',
    { type: 'string', examples: ['handling=strict'] },
  ),
  DryRun: {
    name: 'dry_run',
    in: 'query',
    required: false,
    description:
      'Tries the request: the same checks, status and answer, and nothing is kept, sent or recorded. The answer says so in meta, and the header X-Dry-Run is true. An Idempotency-Key is ignored, and a secret is left out.',
    schema: { type: 'boolean', const: true },
  },
};
