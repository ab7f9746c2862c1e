/**
 * Writes docs/gen/store-api.postman_collection.json: the keys' OpenAPI document as a Postman collection (v2.1), which Bruno and Insomnia
 * import too. One folder per tag and one request per operation, with its example body; address and key are variables.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@store/gateway/openapi';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: { examples?: unknown[]; default?: unknown };
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}
interface Document {
  info: { title: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

export const collectionFile = fileURLToPath(new URL('../../docs/gen/store-api.postman_collection.json', import.meta.url));
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function collectionText(): string {
  const document = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }) as unknown as Document;
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const folders = document.tags
    .map(({ name, description }) => ({
      name,
      ...(description && { description }),
      item: routes.filter(({ operation }) => operation.tags[0] === name).map(requestOf),
    }))
    .filter(({ item }) => item.length > 0);
  const collection = {
    info: { name: document.info.title, description: `${document.info.description}\n\nSet the variables baseUrl and apiKey.`, schema },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000', type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: folders,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function requestOf({ method, path, operation }: Route): object {
  const own = operation.parameters.filter((one): one is Parameter => 'name' in one);
  const takesDryRun = operation.parameters.some((one) => '$ref' in one && one.$ref.endsWith('/DryRun'));
  const query = [...own.filter((one) => one.in === 'query').map(queryOf), ...(takesDryRun ? [dryRun] : [])];
  const segments = ['api', 'v1', ...path.slice(1).split('/')].map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const raw = `{{baseUrl}}/${segments.join('/')}`;
  const variable = own
    .filter((one) => one.in === 'path')
    .map(({ name, description, schema: { examples } }) => ({
      key: name,
      value: String(examples?.[0] ?? 1),
      ...(description && { description }),
    }));
  const body = operation.requestBody?.content['application/json'].example;
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(body !== undefined && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
      url: { raw, host: ['{{baseUrl}}'], path: segments, ...(query.length > 0 && { query }), ...(variable.length > 0 && { variable }) },
    },
    response: [],
  };
}

/** Optional ones are there, switched off. */
const queryOf = ({ name, required, description, schema: { default: value } }: Parameter) => ({
  key: name,
  value: String(value ?? ''),
  ...(description && { description }),
  disabled: !required,
});

const dryRun = { key: 'dry_run', value: 'true', description: 'Tries the request and keeps nothing.', disabled: true };

/** What is wrong with the committed file. */
export function collectionFaults(): string[] {
  const isCurrent = readFileSync(collectionFile, 'utf8') === collectionText();
  return isCurrent ? [] : ['docs/gen/store-api.postman_collection.json differs from the OpenAPI document: run npm run gen'];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(collectionFile, collectionText());
