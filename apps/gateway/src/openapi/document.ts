/** GET /api/v1/openapi.json: the whole public API as OpenAPI 3.1, derived from the protos. */
import { type Endpoint, endpoints } from '@store/contract';
import { errorResponses, errorSchemas } from './errors.ts';
import { operationOf } from './operation.ts';
import { object, type Schema, Schemas } from './schemas.ts';

const about = `A JSON interface to one retail store's point-of-sale data. Every request carries an API key, which
belongs to exactly one store, in the X-API-Key header.

Successful answers to a key are wrapped: data, pagination on paginated lists, and meta. Answers to a staff session are the
same without the wrapper. Errors are never wrapped. Fields without a value are left out or null, as each schema says. Unknown
fields of a body are ignored. HEAD is answered like GET, without the body.`;

const text = { type: 'string' };
const whole = { type: 'integer' };

const headers: Record<string, Schema> = {
  'X-Request-Id': { description: 'Id of the request, the one of meta.', schema: text },
  'X-Error-Code': { description: 'Machine-readable kind of the error.', schema: text },
  'Idempotency-Replayed': {
    description: 'true when the stored answer of an earlier request with this Idempotency-Key was sent.',
    schema: { type: 'string', const: 'true' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per minute.', schema: whole },
  'X-RateLimit-Remaining': { description: 'Always 0.', schema: { type: 'integer', const: 0 } },
  'X-RateLimit-Reset': { description: 'End of the current window in Unix seconds.', schema: whole },
  'Retry-After': { description: 'Seconds left in the window.', schema: { type: 'integer', minimum: 1 } },
};

const parameters: Record<string, Schema> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'An id of your own for the request: 8 to 128 letters, digits, dots, underscores and hyphens. Another one is made when it is absent or anything else.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeated request safe for 24 hours: the same key with the same body is answered with the stored answer and changes nothing; with another body it is a 422.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
};

const securitySchemes: Record<string, Schema> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the store.' },
  staffSession: { type: 'http', scheme: 'bearer', description: 'The token of a staff session (POST /staff_sessions).' },
};

const meta = object({
  title: 'Meta',
  properties: { request_id: text, timestamp: { type: 'string', format: 'date-time' } },
  required: ['request_id', 'timestamp'],
});

export interface DocumentOptions {
  /** What the paths are relative to, /api/v1 included; a path alone is the host that served the document. */
  serverUrl: string;
  /** The endpoints that are there; all that the protos declare when absent. */
  served?: Endpoint[];
}

export function openApiDocument({ serverUrl, served = endpoints() }: DocumentOptions): Schema {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of served) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.verb.toLowerCase()] = operationOf(endpoint, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Store Developer API', version: '1', description: about },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(served.map((endpoint) => endpoint.app))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Meta: meta, ...errorSchemas, ...schemas.components },
      responses: errorResponses,
      parameters,
      headers,
      securitySchemes,
    },
  };
}
