import { expect, test } from '@jest/globals';
import { openApiDocument } from '@store/gateway/openapi';
import { collectionText } from './postman.ts';

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: { raw: string; path: string[]; variable?: { key: string }[] }; body?: { raw: string } };
}

const collection = JSON.parse(collectionText()) as { info: { schema: string }; variable: { key: string }[]; item: Item[] };
const requests = collection.item.flatMap(({ item }) => item!).map(({ request }) => request!);

test('the collection has every operation of the keys once, in folders', () => {
  const { paths } = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }) as unknown as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const shown = requests.map(({ method, url }) => `${method} /${url.path.slice(2).join('/')}`.replaceAll(/:(\w+)/g, '{$1}'));
  expect(shown.sort()).toEqual(operations.sort());
  expect(collection.info.schema).toContain('v2.1.0');
});

test('each request is complete: its variables are defined, its path parameters have values, its body is JSON', () => {
  const variables = collection.variable.map(({ key }) => `{{${key}}}`);
  expect(
    collectionText()
      .match(/\{\{\w+\}\}/g)!
      .filter((name) => !variables.includes(name)),
  ).toEqual([]);
  for (const { url, body } of requests) {
    const parameters = url.path.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
    expect((url.variable ?? []).map(({ key }) => key)).toEqual(parameters);
    if (body) expect(typeof JSON.parse(body.raw)).toBe('object');
  }
});
