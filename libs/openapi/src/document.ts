/** The public API as OpenAPI 3.1, derived from the protos: one document for keys and one for staff. */
import { readFileSync } from 'node:fs';
import { type Endpoint, endpoints, scopeTexts } from '@store/contract';
import { errorSchemas } from './error-schemas.ts';
import { errorResponses } from './errors.ts';
import type { Schema } from './field-schema.ts';
import { headers, parameters } from './headers.ts';
import { operationOf } from './operation.ts';
import { type Audience, object, Schemas } from './schemas.ts';
import { tagsOf } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

const conventions = `Fields without a value are left out or null, as each schema says. Unknown fields of a body are ignored. Money in
a body may be sent as text, which loses nothing, or as a number. HEAD is answered like GET, without the body.`;

const about: Record<Audience, string> = {
  keys: `A JSON interface to one retail store's point-of-sale data. Every request carries an API key, which belongs to
exactly one store, in the X-API-Key header.

Successful answers are wrapped: data, pagination on paginated lists, and meta. Errors are never wrapped. ${conventions}`,
  staff: `The same interface as staff use it, with a session's token: what keys can call, and what only staff may change.

Answers are not wrapped: each is the endpoint's own response. ${conventions}`,
};

const titles: Record<Audience, string> = { keys: 'Store Developer API', staff: 'Store Developer API for staff' };

const scopeList = Object.entries(scopeTexts)
  .map(([scope, text]) => `- \`${scope}\`: ${text}`)
  .join('\n');

const securitySchemes: Record<Audience, Record<string, Schema>> = {
  keys: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: `An API key of the store. Each operation names the scope that the key must hold:\n\n${scopeList}`,
      'x-scopes': scopeTexts,
    },
  },
  staff: {
    staffSession: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of a staff session (POST /staff_sessions). Each operation names the lowest role that may call it: clerk, manager or admin.',
    },
  },
};

const meta = object({
  title: 'Meta',
  description: 'About the answer itself.',
  properties: {
    request_id: { type: 'string', description: 'Id of the request; quote it to support.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it was answered.' },
    dry_run: { type: 'boolean', const: true, description: 'The request was only tried: nothing was kept. Absent otherwise.' },
  },
  required: ['request_id', 'timestamp'],
});

/** The running release. */
const { version, license } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  license: string;
};

export type { Audience, Schema };

interface DocumentOptions {
  audience: Audience;
  /** Base of the paths, /api/v1 included; without a host, the host that served the document. */
  serverUrl: string;
  /** The endpoints of running services; all that the protos declare when absent. */
  served?: Endpoint[];
}

export function callableBy(audience: Audience, { access }: Endpoint): boolean {
  return audience === 'keys' ? !access.staffOnly && !access.public : !access.keyOnly;
}

export function openApiDocument({ audience, serverUrl, served = endpoints() }: DocumentOptions): Schema {
  const schemas = new Schemas(audience);
  const shown = served.filter((endpoint) => callableBy(audience, endpoint));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of shown) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.httpMethod.toLowerCase()] = operationOf(endpoint, { audience, schemas });
  }
  const webhooks = audience === 'keys' ? webhooksOf(schemas) : undefined;
  return {
    openapi: '3.1.0',
    info: { title: titles[audience], version, description: about[audience], license: { name: 'Apache License 2.0', identifier: license } },
    servers: [{ url: serverUrl, description: 'This store API.' }],
    externalDocs: { url: docsUrl(serverUrl), description: 'Guides' },
    tags: [...tagsOf(shown), ...(webhooks ? [webhookTag(serverUrl)] : [])],
    paths,
    ...(webhooks ? { webhooks } : {}),
    components: {
      schemas: { ...(audience === 'keys' ? { Meta: meta } : {}), ...errorSchemas, ...schemas.components },
      responses: errorResponses,
      parameters,
      headers,
      securitySchemes: securitySchemes[audience],
    },
  };
}

/** The guides are beside the API, at the root of its host. */
const docsUrl = (serverUrl: string): string => `${serverUrl.replace(/\/api\/v1$/, '')}/docs`;

function webhookTag(serverUrl: string): Schema {
  return {
    name: 'Webhook events',
    description: 'What the store sends to subscribed addresses, signed.',
    externalDocs: { url: `${docsUrl(serverUrl)}/webhooks`, description: 'Guide for receivers of webhooks' },
  };
}
