/** The OpenAPI document against the OpenAPI 3.1 meta-schema, the protos and its own examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { deprecationOf, endpoints, messageType, optionsOf, scopes } from '@store/contract';
import { callableBy, openApiDocument } from './document.ts';
import { judgeOf } from './judge.testing.ts';
import { operationOf } from './operation.ts';
import { Schemas } from './schemas.ts';

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
  deprecated?: boolean;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}
interface Document {
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, Record<string, unknown>>;
  };
}

const keys = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }) as unknown as Document;
const staff = openApiDocument({ audience: 'staff', serverUrl: '/api/v1' }) as unknown as Document;
const keyEndpoints = endpoints().filter((endpoint) => callableBy('keys', endpoint));
const operation = (httpMethod: string, path: string): Operation => keys.paths[path]![httpMethod]!;
const operationsOf = (document: Document) =>
  endpoints().flatMap((endpoint) => {
    const found = document.paths[endpoint.path]?.[endpoint.httpMethod.toLowerCase()];
    return found ? [[`${endpoint.httpMethod} ${endpoint.path}`, found, endpoint] as const] : [];
  });
const operations = operationsOf(keys);
const json = (answer: Response): Media => answer.content['application/json']!;
const resolved = (answer: Response): Response => (answer.$ref ? keys.components.responses[answer.$ref.split('/').at(-1)!]! : answer);

const judges = { keys: judgeOf(keys), staff: judgeOf(staff) };
const faults = (schema: object, value: unknown, audience: keyof typeof judges = 'keys') => judges[audience](schema, value);

describe('the OpenAPI document', () => {
  test('names the serving host, this release, its licence and the guide', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(keys.servers).toEqual([{ url: '/api/v1', description: expect.any(String) }]);
    expect(keys.info).toMatchObject({ version, license: { identifier: 'Apache-2.0' } });
    expect(keys).toMatchObject({ externalDocs: { url: '/docs' } });
  });

  test('D204: of keys has what keys can call, of staff theirs; operationIds are unique', () => {
    for (const [audience, document] of [
      ['keys', keys],
      ['staff', staff],
    ] as const) {
      const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((httpMethod) => `${httpMethod.toUpperCase()} ${path}`),
      );
      const callable = endpoints().filter((endpoint) => callableBy(audience, endpoint));
      expect(listed.sort()).toEqual(callable.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort());
      const ids = operationsOf(document).map(([, { operationId }]) => operationId);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(keyEndpoints.some(({ access }) => access.staffOnly || access.public)).toBe(false);
    expect(keys.paths['/webhook_subscriptions']!.post).toBeDefined();
    expect(keys.paths['/api_keys']).toBeUndefined();
    expect(staff.paths['/webhook_subscriptions']).toBeUndefined();
  });

  test('gives every operation its described resource, and the scope that a key needs', () => {
    const described = new Map(keys.tags.map(({ name, description }) => [name, description]));
    for (const [name, { summary, tags, security, description }, { access }] of operations) {
      expect([name, summary.length > 0, described.get(tags[0]!)?.length]).toEqual([name, true, expect.any(Number)]);
      expect([name, security]).toEqual([name, [{ apiKey: access.scope === '' ? [] : [access.scope] }]]);
      expect(description).toContain(access.scope === '' ? 'Any key.' : `Scope: \`${access.scope}\`.`);
    }
    expect(operation('get', '/events').security).toEqual([{ apiKey: ['webhooks:manage'] }]);
    expect(operation('post', '/webhook_subscriptions/{id}/test').description).toContain('`webhooks:manage`');
    expect(operation('get', '/products').tags).toEqual(['Products']);
  });

  test('gives every staff operation the lowest role', () => {
    for (const [name, { security }, { access }] of operationsOf(staff)) {
      expect([name, security]).toEqual([name, access.public ? [] : [{ staffSession: [access.role] }]]);
    }
  });

  test('describes every scope (specification, Scopes)', () => {
    const { apiKey } = keys.components.securitySchemes;
    expect(Object.keys(apiKey!['x-scopes']!)).toEqual([...scopes]);
    for (const scope of scopes) expect(apiKey!.description).toContain(`\`${scope}\`: `);
  });

  test('declares every segment of a path that is bound', () => {
    for (const [name, { parameters }, endpoint] of operations) {
      const bound = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
      expect([name, parameters.filter((one) => one.in === 'path').map((one) => one.name)]).toEqual([name, bound]);
    }
  });

  const both = [...operations.map((one) => ['keys', ...one] as const), ...operationsOf(staff).map((one) => ['staff', ...one] as const)];
  test.each(both)('%s, %s: its examples are valid, and named', (audience, name, { requestBody, responses }, _endpoint) => {
    if (requestBody) {
      const { schema, example } = requestBody.content['application/json']!;
      expect(example).toBeDefined();
      expect(faults(schema, example, audience)).toEqual([]);
    }
    for (const [status, answer] of Object.entries(responses)) {
      if (status === '304') continue;
      const { schema, example, examples } = json(resolved(answer));
      if (example !== undefined) expect(faults(schema, example, audience)).toEqual([]);
      for (const each of Object.values(examples ?? {})) expect(faults(schema, each.value, audience)).toEqual([]);
      if (!['207', '409', '422'].includes(status)) continue;
      const shown = Object.keys(examples ?? {});
      expect([name, status, shown.length > 0, shown.filter((one) => !/^[a-z]+(_[a-z]+)+$/.test(one))]).toEqual([name, status, true, []]);
    }
  });

  test.each(Object.entries(keys.components.schemas))('%s: the examples of its fields match their schemas', (_name, schema) => {
    for (const property of Object.values((schema.properties ?? {}) as Record<string, { examples?: unknown[] }>)) {
      for (const example of property.examples ?? []) expect(faults(property, example)).toEqual([]);
    }
  });

  test('an answer that breaks its schema is found: the check of the examples can fail', () => {
    const { schema, example } = json(operation('get', '/products').responses[200]!);
    const wrong = structuredClone(example) as { data: Record<string, unknown>[]; meta?: unknown };
    wrong.data[0]!.price = 3.39;
    expect(faults(schema, wrong)).not.toEqual([]);
    expect(faults(schema, { data: wrong.data })).not.toEqual([]);
  });

  test('fields that only the gateway fills are not shown to clients', () => {
    expect(JSON.stringify([keys, staff])).not.toMatch(/"(malformed|empty_lists)"/);
  });

  test('every text field that is always present has a sample, so no example is empty', () => {
    for (const [name, { responses }] of operations) {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
      const { example, examples } = json(success);
      expect([name, JSON.stringify(example ?? examples).includes('""')]).toEqual([name, false]);
    }
  });

  test('known values are examples, as new ones may be added; a closed list is an enum', () => {
    const { properties } = keys.components.schemas.Product as { properties: Record<string, Record<string, unknown>> };
    expect(properties.product_type!.examples).toEqual(['simple', 'variable', 'variation', 'bundle']);
    expect(properties.product_type!.enum).toBeUndefined();
    const { adjustment_type } = bodyProperties('post', '/stock_adjustments');
    expect(adjustment_type!.enum).toEqual(['receive', 'count', 'inventory', 'spoilage', 'damage', 'reweigh', 'moisture_loss']);
    const { status } = keys.components.schemas.Sale!.properties as Record<string, Record<string, unknown>>;
    expect(status!.enum).toEqual(['pending', 'ready', 'completed', 'voided']);
  });

  test('shows limits, defaults and the pattern of money', () => {
    const perPage = operation('get', '/products').parameters.find(({ name }) => name === 'per_page');
    expect(perPage!.schema).toMatchObject({ minimum: 1, maximum: 100, default: 25 });
    expect(bodyProperties('post', '/products/bulk_upsert').products).toMatchObject({ minItems: 1, maxItems: 1000 });
    const { price, name } = keys.components.schemas.ProductInput!.properties as Record<string, Record<string, unknown>>;
    expect(price).toMatchObject({ type: 'string', pattern: '^\\d+(\\.\\d+)?$', default: '0.00' });
    expect(name).toMatchObject({ maxLength: 255 });
    const { price: shown } = keys.components.schemas.Product!.properties as Record<string, Record<string, unknown>>;
    expect(shown).toMatchObject({ type: 'string', pattern: '^-?\\d+\\.\\d{2}$' });
  });

  test('D47: a default is for creation only: no change or row of bulk_upsert has one', () => {
    const { ProductChanges, ProductInput } = staff.components.schemas;
    expect(JSON.stringify(ProductInput)).toContain('"default"');
    for (const schema of [ProductChanges, keys.components.schemas.ProductRow]) expect(JSON.stringify(schema)).not.toContain('"default"');
  });

  test('a creation requires a name, a row of bulk_upsert its sku, a change nothing', () => {
    expect(keys.components.schemas.ProductInput!.required).toEqual(['name']);
    expect(keys.components.schemas.ProductRow!.required).toEqual(['sku']);
    expect(staff.components.schemas.BrandInput!.required).toEqual(['name']);
    for (const name of ['ProductChanges', 'BrandChanges']) expect(staff.components.schemas[name]!.required).toBeUndefined();
    expect(staff.paths['/brands/{id}']!.patch!.requestBody!.required).toBe(true);
  });

  test("a success and a 429 show the key's limit; a 429, a 500, a 503 when to retry", () => {
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    const retry = ['Retry-After'];
    for (const [, { responses, security }] of operations) {
      for (const [status, answer] of Object.entries(responses)) {
        const limited = Object.keys(resolved(answer).headers).filter((name) => /^(X-RateLimit-|Retry-After)/.test(name));
        const isSuccessOfKey = status.startsWith('2') && security[0]?.apiKey !== undefined;
        const shown: Record<string, string[]> = { 429: [...limits, ...retry], 500: retry, 503: retry };
        expect(limited).toEqual(isSuccessOfKey ? limits : (shown[status] ?? []));
      }
    }
  });

  test('D30: a deprecated endpoint is marked, and its successes have both headers', () => {
    const endpoint = endpoints().find(({ rpcName }) => rpcName === 'ListProducts')!;
    const part = { audience: 'keys' as const, schemas: new Schemas('keys') };
    const { deprecated, responses } = operationOf({ ...endpoint, deprecation: deprecationOf('2026-11-23') }, part) as unknown as Operation;
    expect([deprecated, Object.keys(responses[200]!.headers).slice(-2)]).toEqual([true, ['Deprecation', 'Sunset']]);
    expect(operationOf(endpoint, part)).not.toHaveProperty('deprecated');
  });

  test('an answer to a key has the envelope, an answer to staff has not (D155)', () => {
    for (const [document, wrapped] of [
      [keys, true],
      [staff, false],
    ] as const) {
      for (const [name, { responses }] of operationsOf(document)) {
        const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
        const { properties } = json(success).schema as { properties: object };
        expect([name, 'meta' in properties]).toEqual([name, wrapped]);
      }
    }
  });

  test('what only staff see or write is in the staff document only', () => {
    const { Settings, ProductInput } = staff.components.schemas as Record<string, { properties: object }>;
    expect(Object.keys(Settings!.properties)).toContain('opening_float');
    expect(Object.keys(ProductInput!.properties)).toContain('category_ids');
    expect(Object.keys(keys.components.schemas.Settings!.properties!)).not.toContain('opening_float');
    expect(Object.keys(keys.components.schemas.ProductInput!.properties!)).not.toContain('category_ids');
  });
});

function bodyProperties(httpMethod: string, path: string): Record<string, Record<string, unknown>> {
  const { schema } = operation(httpMethod, path).requestBody!.content['application/json']!;
  return (schema as { properties: Record<string, Record<string, unknown>> }).properties;
}

describe('what the document states for', () => {
  test('GET /products is described as the specification has it', () => {
    const { parameters, responses, security } = operation('get', '/products');
    expect(security).toEqual([{ apiKey: ['products:read'] }]);
    expect(parameters.filter((one) => one.in === 'query').map(({ name, schema, required }) => [name, schema, required])).toEqual([
      ['search', { type: 'string' }, false],
      ['category', { type: 'string' }, false],
      ['brand', { type: 'string' }, false],
      ['updated_since', { type: 'string', format: 'date-time' }, false],
      ['revenue_center_id', { type: 'integer', format: 'int64' }, false],
      ['page', { type: 'integer', format: 'int64', default: 1, minimum: 1 }, false],
      ['per_page', { type: 'integer', format: 'int64', default: 25, minimum: 1, maximum: 100 }, false],
      ['sku', { type: 'string' }, false],
      ['barcode', { type: 'string' }, false],
      ['external_id', { type: 'string' }, false],
      ['after', { type: 'string' }, false],
      ['include', { type: 'string', examples: ['external_id'] }, false],
    ]);
    expect(Object.keys(responses)).toEqual(['200', '401', '402', '403', '422', '429', '500']);
    expect(Object.keys(responses[200]!.headers ?? {})).toContain('Link');
    expect(json(responses[200]!).schema).toEqual({
      type: 'object',
      properties: {
        data: { type: 'array', items: { $ref: '#/components/schemas/Product' }, description: expect.any(String) },
        pagination: { $ref: '#/components/schemas/Pagination', description: expect.any(String) },
        meta: { $ref: '#/components/schemas/Meta' },
      },
      required: ['data', 'pagination', 'meta'],
    });
  });

  test('a product: what is always there, may be missing, is text or number (Resources)', () => {
    const { properties, required } = keys.components.schemas.Product as {
      properties: Record<string, Record<string, unknown>>;
      required: string[];
    };
    const mayBeMissing =
      /^(name|sku|barcode|description|option_label|low_stock_threshold|brand|package_size|primary_image_url|strain_type|thc_content|cbd_content|equivalent_grams|cost|average_cost|wholesale_price)$/;
    const { fields } = messageType('store.catalog.v1.Product');
    const always = Object.keys(properties).filter((name) => !mayBeMissing.test(name) && !optionsOf(fields[name]!).on_request);
    expect(required).toEqual(always);
    expect(properties.id).toMatchObject({ type: 'integer' });
    expect(properties.price).toMatchObject({ type: 'string' });
    expect(properties.current_stock).toMatchObject({ type: 'number' });
    expect(properties.updated_at).toMatchObject({ type: 'string', format: 'date-time' });
    expect(properties.cost!.description).toContain('costs:read');
    const variation = keys.components.schemas.Variation!;
    expect((variation.properties as Record<string, unknown>).sku).toMatchObject({ type: ['string', 'null'] });
    expect(variation.required).toContain('sku');
  });

  test('POST /products is described as the specification has it', () => {
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
      scope_missing: { value: { error: 'Insufficient scope. Required: products:write' } },
      test_mode: { value: { error: expect.stringContaining('Test Mode') } },
    });
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/DryRun' });
    const input = keys.components.schemas.ProductInput!.properties as Record<string, Record<string, unknown>>;
    expect(input.current_stock).toBeUndefined();
    expect(input.price).toMatchObject({ type: 'string' });
    expect(input.low_stock_threshold).toMatchObject({ type: 'number' });
    expect(input.active).toMatchObject({ type: 'boolean' });
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
    expect(json(operation('get', '/stock_adjustments').responses[422]!).schema).toEqual({ $ref: '#/components/schemas/Error' });
  });

  test('D255: every operation takes Prefer, and lists the 422 of an unknown parameter', () => {
    for (const { parameters } of Object.values(keys.paths).flatMap((path) => Object.values(path))) {
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/Prefer' });
    }
    expect(operation('get', '/brands').responses[422]).toEqual({ $ref: '#/components/responses/UnknownParameter' });
  });

  test('POST /webhook_subscriptions/{id}/test: the 422 of a receiver without an answer', () => {
    const { schema, examples } = json(operation('post', '/webhook_subscriptions/{id}/test').responses[422]!);
    const asAnswered = { success: false, status_code: 0, message: 'The test delivery could not be made' };
    expect(faults(schema, asAnswered)).toEqual([]);
    expect(faults(schema, { ...asAnswered, success: true })).not.toEqual([]);
    expect(Object.keys(examples!)).toContain('not_made');
  });

  test('GET /events describes each event with its fields', () => {
    const { schema } = json(operation('get', '/events').responses[200]!) as { schema: { properties: Record<string, unknown> } };
    expect(JSON.stringify(schema)).toContain('#/components/schemas/Event"');
  });

  test('404 where a row is identified: in the path or by a required id', () => {
    const has404 = [...operations, ...operationsOf(staff)].filter(([, { responses }]) => '404' in responses).map(([name]) => name);
    expect(has404).toEqual(expect.arrayContaining(['GET /products/{id}', 'POST /stock_adjustments', 'PATCH /products/bulk_update']));
    expect(has404).not.toContain('GET /products');
    expect(has404).not.toContain('POST /products');
  });
});
