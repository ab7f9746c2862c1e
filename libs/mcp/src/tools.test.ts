import { expect, test } from '@jest/globals';
import { toolsOf } from './tools.js';

const document = {
  paths: {
    '/products': {
      get: {
        operationId: 'listProducts',
        summary: 'Lists products',
        security: [{ apiKey: ['products:read'] }],
        parameters: [{ name: 'search', in: 'query', required: false, description: 'Text.', schema: { type: 'string' } }],
      },
      post: {
        operationId: 'createProduct',
        summary: 'Creates a product',
        security: [{ apiKey: ['products:write'] }],
        parameters: [{ $ref: '#/components/parameters/DryRun' }],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
      },
    },
    '/webhook_subscriptions/{id}': {
      delete: {
        operationId: 'deleteSubscription',
        summary: 'Deletes a subscription',
        security: [{ apiKey: ['webhooks:manage'] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      },
    },
    '/later': { get: { operationId: 'ofALaterVersion', summary: 'New', security: [{ apiKey: [] }] } },
  },
  components: {
    schemas: { Body: { type: 'object', properties: { product: { $ref: '#/components/schemas/Product' } } }, Product: { type: 'object' } },
  },
};
const everything = ['products:read', 'products:write', 'webhooks:manage'];
const all = { writes: true, subscriptions: true };
const names = (scopes: string[], test_mode = false, allowed: Parameters<typeof toolsOf>[2] = all) =>
  toolsOf(document, { scopes, test_mode }, allowed).map(({ name }) => name);

test("a key has its scopes' tools; in Test Mode those that read; no unknown ones", () => {
  expect(names(everything)).toEqual(['listProducts', 'createProduct', 'deleteSubscription']);
  expect(names(['products:read'])).toEqual(['listProducts']);
  expect(names(everything, true)).toEqual(['listProducts']);
});

test('a changing tool is a dry run by default or needs confirm; a reading one neither', () => {
  const [read, write, remove] = toolsOf(document, { scopes: everything, test_mode: false }, all).map(({ definition }) => definition);
  expect(Object.keys(read!.inputSchema.properties)).toEqual(['search']);
  expect(write!.inputSchema.properties.dry_run).toMatchObject({ type: 'boolean', default: true });
  expect(remove!.inputSchema.required).toEqual(['id', 'confirm']);
  const hints = [read, write, remove].map((tool) => [
    tool!.annotations.readOnlyHint,
    tool!.annotations.destructiveHint,
    tool!.annotations.openWorldHint,
  ]);
  expect(hints).toEqual([
    [true, false, false],
    [false, true, false],
    [false, true, true],
  ]);
});

test('schemas of bodies have no references left', () => {
  const [, write] = toolsOf(document, { scopes: everything, test_mode: false }, all);
  expect(write!.definition.inputSchema.properties.body).toEqual({ type: 'object', properties: { product: { type: 'object' } } });
});

test('a changing tool is there if allowed, one that sends events if that is too', () => {
  expect(names(everything, false, {})).toEqual(['listProducts']);
  expect(names(everything, false, { writes: true })).toEqual(['listProducts', 'createProduct']);
  expect(names(everything, false, { subscriptions: true })).toEqual(['listProducts']);
});
