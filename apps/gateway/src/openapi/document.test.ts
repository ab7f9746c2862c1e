/** The OpenAPI document against the OpenAPI 3.1 meta-schema, the protos and its own examples. */
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints, messageType, renderMembers } from '@store/contract';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { envelope } from '../http/envelope.ts';
import { openApiDocument } from './document.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Response {
  $ref?: string;
  description: string;
  headers: Record<string, object>;
  content: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>>; responses: Record<string, Response> };
}

const document = openApiDocument({ serverUrl: '/api/v1' }) as unknown as Document;
const operation = (verb: string, path: string): Operation => document.paths[path]![verb]!;
const operations = endpoints().map(
  (endpoint) => [`${endpoint.verb} ${endpoint.path}`, operation(endpoint.verb.toLowerCase(), endpoint.path), endpoint] as const,
);
const json = (answer: Response): Media => answer.content['application/json']!;
const resolved = (answer: Response): Response => (answer.$ref ? document.components.responses[answer.$ref.split('/').at(-1)!]! : answer);

const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true, validateFormats: true }));
for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
ajv.addSchema({ $id: 'https://api.example.com/openapi.json', ...document }, 'document');

/** Faults of a value against a schema of the document, references included. */
function faults(schema: object, value: unknown): unknown[] {
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://api.example.com/openapi.json#/')) as object;
  const validate = ajv.compile(local);
  return validate(value) ? [] : (validate.errors ?? []);
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result).toEqual({ valid: true });
  });

  test('is of the host that serves it', () => {
    expect(document.servers).toEqual([{ url: '/api/v1' }]);
  });

  test('has every endpoint of the protos and no other, each with an operationId of its own', () => {
    const listed = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(operations.map(([name]) => name).sort());
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  test('says of every endpoint what it does, to whom it belongs and who may call it', () => {
    for (const [name, { summary, tags, security }, endpoint] of operations) {
      expect([name, summary.length > 0, tags]).toEqual([name, true, [endpoint.app]]);
      expect([name, security.length > 0]).toEqual([name, !endpoint.access.public]);
    }
  });

  test('declares every segment of a path that is bound', () => {
    for (const [name, { parameters }, endpoint] of operations) {
      const bound = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
      expect([name, parameters.filter((one) => one.in === 'path').map((one) => one.name)]).toEqual([name, bound]);
    }
  });

  test.each(operations)('%s: the examples match their schemas', (_name, { requestBody, responses }) => {
    if (requestBody) {
      const { schema, example } = requestBody.content['application/json']!;
      expect(example).toBeDefined();
      expect(faults(schema, example)).toEqual([]);
    }
    for (const answer of Object.values(responses)) {
      const { schema, example, examples } = json(resolved(answer));
      if (example !== undefined) expect(faults(schema, example)).toEqual([]);
      for (const each of Object.values(examples ?? {})) expect(faults(schema, each.value)).toEqual([]);
    }
  });

  test.each(Object.entries(document.components.schemas))('%s: the examples of its fields match their schemas', (_name, schema) => {
    for (const property of Object.values((schema.properties ?? {}) as Record<string, { examples?: unknown[] }>)) {
      for (const example of property.examples ?? []) expect(faults(property, example)).toEqual([]);
    }
  });

  test('a wrong answer does not match: the check of the examples can fail', () => {
    const { schema, example } = json(operation('get', '/products').responses[200]!);
    const wrong = structuredClone(example) as { data: Record<string, unknown>[]; meta?: unknown };
    wrong.data[0]!.price = 3.39;
    expect(faults(schema, wrong)).not.toEqual([]);
    expect(faults(schema, { data: wrong.data })).not.toEqual([]);
  });

  test('what only the gateway fills in is not shown to clients', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(misshapen|emptied)"/);
  });

  test('every text that is always there has a sample, so no example shows an empty one', () => {
    for (const [name, { responses }] of operations) {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
      expect([name, JSON.stringify(json(success).example).includes('""')]).toEqual([name, false]);
    }
  });

  test('a known value is an example, never the end of the list', () => {
    expect(JSON.stringify(document)).not.toContain('"enum"');
    const { properties } = document.components.schemas.Product as { properties: Record<string, { examples: string[] }> };
    expect(properties.product_type!.examples).toEqual(['simple', 'variable', 'variation', 'bundle']);
  });

  test('429 shows its four headers (Limits), and nothing else does', () => {
    for (const [, { responses }] of operations) {
      for (const [status, answer] of Object.entries(responses)) {
        const limited = Object.keys(resolved(answer).headers).filter((name) => /^(X-RateLimit-|Retry-After)/.test(name));
        expect(limited).toEqual(status === '429' ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'] : []);
      }
    }
  });

  test('only staff-only endpoints, and the login, answer without the envelope (D155)', () => {
    for (const [name, { responses }, { access }] of operations) {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
      const { properties } = json(success).schema as { properties: object };
      expect([name, 'meta' in properties]).toEqual([name, !access.staffOnly && !access.public]);
    }
  });

  test('a change of a row requires nothing inside its wrapper, a creation does', () => {
    expect(document.components.schemas.BrandInput!.required).toEqual(['name']);
    expect(document.components.schemas.BrandChanges!.required).toBeUndefined();
    expect(operation('patch', '/brands/{id}').requestBody!.required).toBe(true);
  });
});

describe('what the document says of', () => {
  test('GET /products', () => {
    const { parameters, responses, security } = operation('get', '/products');
    expect(security).toEqual([{ apiKey: [] }, { staffSession: [] }]);
    expect(parameters.filter((one) => one.in === 'query').map(({ name, schema, required }) => [name, schema, required])).toEqual([
      ['search', { type: 'string' }, false],
      ['category', { type: 'string' }, false],
      ['brand', { type: 'string' }, false],
      ['updated_since', { type: 'string', format: 'date-time' }, false],
      ['revenue_center_id', { type: 'integer' }, false],
      ['page', { type: 'integer' }, false],
      ['per_page', { type: 'integer' }, false],
    ]);
    expect(Object.keys(responses)).toEqual(['200', '401', '402', '403', '429', '500']);
    expect(json(responses[200]!).schema).toEqual({
      type: 'object',
      properties: {
        data: { type: 'array', items: { $ref: '#/components/schemas/Product' } },
        pagination: { $ref: '#/components/schemas/Pagination' },
        meta: { $ref: '#/components/schemas/Meta' },
      },
      required: ['data', 'pagination', 'meta'],
    });
  });

  test('a product: what is always there, what may be missing, strings and numbers (Resources, Product)', () => {
    const { properties, required } = document.components.schemas.Product as {
      properties: Record<string, Record<string, unknown>>;
      required: string[];
    };
    expect(required).toEqual(
      Object.keys(properties).filter(
        (name) =>
          !/^(name|sku|barcode|description|option_label|low_stock_threshold|brand|package_size|primary_image_url|strain_type|thc_content|cbd_content|equivalent_grams|cost|average_cost|wholesale_price)$/.test(
            name,
          ),
      ),
    );
    expect(properties.id).toMatchObject({ type: 'integer' });
    expect(properties.price).toMatchObject({ type: 'string' });
    expect(properties.current_stock).toMatchObject({ type: 'number' });
    expect(properties.updated_at).toMatchObject({ type: 'string', format: 'date-time' });
    expect(properties.cost!.description).toContain('costs:read');
    const variation = document.components.schemas.Variation!;
    expect((variation.properties as Record<string, unknown>).sku).toMatchObject({ type: ['string', 'null'] });
    expect(variation.required).toContain('sku');
  });

  test('POST /products', () => {
    const { requestBody, responses, parameters } = operation('post', '/products');
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '402', '403', '409', '413', '422', '429', '500']);
    expect(requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { product: { $ref: '#/components/schemas/ProductInput' } }, required: ['product'] },
          example: { product: { name: 'White metal lantern', sku: '71053', price: '3.39' } },
        },
      },
    });
    expect(json(responses[201]!).schema).toMatchObject({
      properties: { data: { $ref: '#/components/schemas/Product' } },
      required: ['data', 'meta'],
    });
    expect(json(responses[422]!).schema).toEqual({ $ref: '#/components/schemas/FieldsInvalid' });
    expect(json(responses[403]!).examples).toMatchObject({
      forbidden_1: { value: { error: 'Insufficient scope. Required: products:write' } },
      forbidden_2: { value: { error: expect.stringContaining('Test Mode') } },
    });
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    const input = document.components.schemas.ProductInput!.properties as Record<string, Record<string, unknown>>;
    expect(input.current_stock).toBeUndefined();
    expect(input.price).toMatchObject({ type: ['number', 'string'] });
    expect(input.active).toMatchObject({ type: 'boolean' });
    expect(input.category_ids).toMatchObject({ type: 'array', items: { type: 'integer' }, 'x-staff-only': true });
  });

  test('POST /products/bulk_upsert: 207 beside 200, and 422 with one message', () => {
    const { responses } = operation('post', '/products/bulk_upsert');
    expect(json(responses[207]!).schema).toEqual(json(responses[200]!).schema);
    expect(json(responses[422]!).schema).toEqual({ $ref: '#/components/schemas/Error' });
    expect(json(responses[200]!).schema).toMatchObject({
      properties: { data: { required: ['created', 'updated', 'failed', 'created_skus', 'updated_skus', 'errors'] } },
    });
  });

  test('GET /stock_adjustments: 422 for a since that is no timestamp', () => {
    expect(Object.keys(operation('get', '/stock_adjustments').responses)).toContain('422');
    expect(Object.keys(operation('get', '/products').responses)).not.toContain('422');
  });

  test('404 where a row is named: in the path or by a required id', () => {
    const has404 = operations.filter(([, { responses }]) => '404' in responses).map(([name]) => name);
    expect(has404).toEqual(expect.arrayContaining(['GET /products/{id}', 'POST /stock_adjustments', 'PATCH /products/bulk_update']));
    expect(has404).not.toContain('GET /products');
    expect(has404).not.toContain('POST /products');
  });
});

test.each([
  'store.catalog.v1.ListProductsResponse',
  'store.catalog.v1.ListCategoriesResponse',
  'store.inventory.v1.ListStockAdjustmentsResponse',
])('%s as the renderer writes it, empty and filled, matches the documented envelope', (name) => {
  const [, answered] = operations.find(([, , endpoint]) => endpoint.response.fullName === `.${name}` && endpoint.verb === 'GET')!;
  const type = messageType(name);
  const list = type.fieldsArray.find((field) => field.name !== 'pagination')!;
  const written = { [list.name]: [{}], ...(type.fields.pagination ? { pagination: {} } : {}) };
  const bytes = type.encode(type.fromObject(written)).finish();
  const body = JSON.parse(
    envelope(
      renderMembers(type, bytes, () => true),
      { requestId: 'request-1', timestamp: '2026-11-20T12:00:00.000Z' },
    ),
  ) as { data: Record<string, unknown>[] };
  // Texts that are timestamps have no empty value; every other field is as the renderer leaves it.
  for (const row of body.data) for (const key of ['created_at', 'updated_at']) if (key in row) row[key] = '2026-11-20T12:00:00.000Z';
  expect(faults(json(answered.responses[200]!).schema, body)).toEqual([]);
});
