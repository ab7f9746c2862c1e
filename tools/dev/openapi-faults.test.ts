/** The checks of the OpenAPI documents find the faults that they are for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { messageType, optionsOf } from '@store/contract';
import { openApiDocument } from '@store/openapi';
import { eventNames } from '../../apps/webhooks/src/events/event-names.ts';
import { deliveryHeaders, testPingHeaders } from '../../apps/webhooks/src/receivers/sign.ts';
import { repository } from '../local/data-dir.ts';
import { titleFaults, typeFaults, undescribed, validatorFaults } from './openapi-faults.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test breaks the document anywhere.
type Loose = any;
const fresh = (): Loose => structuredClone(openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }));

describe('the OpenAPI documents', () => {
  const foundBy = async (breakIt: (document: Loose) => void) => {
    const document = fresh();
    breakIt(document);
    return (await validatorFaults(document)).map((fault) => fault.split(':')[0]);
  };

  test('an unknown OpenAPI member is found by each validator, a wrong schema by one', async () => {
    expect(await foundBy((document) => (document.info.licens = {}))).toEqual([
      '@seriousme/openapi-schema-validator',
      '@hyperjump/json-schema',
    ]);
    expect(await foundBy((document) => (document.components.schemas.Product.properties.name.type = 'strin'))).toEqual([
      '@hyperjump/json-schema',
    ]);
  });

  test('a property, a parameter and a schema without a description are found', () => {
    const document = fresh();
    delete document.components.schemas.Product.properties.name.description;
    delete document.components.schemas.Brand.description;
    delete document.paths['/products'].get.parameters[0].description;
    expect(undescribed(document).sort()).toEqual([
      '/components/schemas/Brand has no description',
      '/components/schemas/Product/properties/name has no description',
      '/paths//products/get/parameters/0 has no description',
    ]);
  });

  test('a repeated title and a value of two types are found', () => {
    const document = fresh();
    document.components.schemas.Brand.title = 'Product';
    document.components.schemas.Brand.properties.name.type = ['number', 'string'];
    expect(titleFaults(document)).toEqual(['the title Product is used at /components/schemas/Product, /components/schemas/Brand']);
    expect(typeFaults(document)).toEqual(['/components/schemas/Brand/properties/name has several types']);
  });
});

describe('the section webhooks', () => {
  const { webhooks } = fresh();
  const documented = (name: string): string[] => webhooks[name].post.parameters.map((header: { name: string }) => header.name).sort();
  const withoutType = (headers: object) =>
    Object.keys(headers)
      .filter((name) => name !== 'Content-Type')
      .sort();
  const post = { body: Buffer.from('{}'), secrets: ['whsec_c2VjcmV0'] as [string] };

  test('names the events that a subscription can name', () => {
    const { allowed_values } = optionsOf(messageType('store.webhooks.v1.SubscriptionInput').fields.events!);
    expect(String(allowed_values).split(',')).toEqual(eventNames);
  });

  test('names the headers that are sent', () => {
    const delivery = { ...post, event: 'product.created', id: 'x', requestId: 'request-1', sequence: 1, attempt: 1, at: new Date(0) };
    expect(documented('product.created')).toEqual(withoutType(deliveryHeaders(delivery)));
    expect(documented('webhook.test')).toEqual(withoutType(testPingHeaders({ ...delivery, event: 'webhook.test' })));
  });
});

test('docs/webhooks.md lists the events, and an app emits each of them', () => {
  const text = readFileSync(path.join(repository, 'docs/webhooks.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name!);
  const sources = readdirSync(path.join(repository, 'apps'))
    .filter((app) => app !== 'webhooks' && app !== 'gateway')
    .flatMap((app) => sourcesOf(path.join(repository, 'apps', app, 'src')));
  const emitted = eventNames.filter((name) => sources.some((source) => source.includes(`'${name}'`)));
  expect(new Set(listed)).toEqual(new Set(eventNames));
  expect(emitted).toEqual(eventNames);
});

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}
