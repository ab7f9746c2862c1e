import { expect, test } from '@jest/globals';
import { endpoints, messageType, renderMembers } from '@store/contract';
import { openApiDocument } from '@store/openapi';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { envelope } from './envelope.ts';

const document = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' });
const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));
for (const format of ['int32', 'int64', 'double']) ajv.addFormat(format, { type: 'number', validate: Number.isFinite });
ajv.addSchema({ $id: 'https://api.example.com/keys.json', ...document });

test.each([
  'store.catalog.v1.ListProductsResponse',
  'store.catalog.v1.ListCategoriesResponse',
  'store.inventory.v1.ListStockAdjustmentsResponse',
])('%s as the renderer writes it, empty and filled, matches the documented envelope', (name) => {
  const { path } = endpoints().find(({ response, httpMethod }) => response.fullName === `.${name}` && httpMethod === 'GET')!;
  const type = messageType(name);
  const list = type.fieldsArray.find((field) => field.name !== 'pagination')!;
  const written = { [list.name]: [{}], ...(type.fields.pagination ? { pagination: {} } : {}) };
  const bytes = type.encode(type.fromObject(written)).finish();
  const body = JSON.parse(
    envelope(
      renderMembers(type, bytes, () => true),
      { requestId: 'request-1', timestamp: '2026-11-20T12:00:00.000Z', dryRun: false },
    ),
  ) as { data: Record<string, unknown>[] };
  // Timestamps and money have no empty value; every other field is as the renderer writes it.
  const now = '2026-11-20T12:00:00.000Z';
  const shown: Record<string, string> = { created_at: now, updated_at: now, price: '1.00', effective_price: '1.00' };
  for (const row of body.data) for (const [key, value] of Object.entries(shown)) if (key in row) row[key] = value;
  const place = `/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
  const validate = ajv.getSchema(`https://api.example.com/keys.json#${place}`)!;
  expect([validate(body), validate.errors]).toEqual([true, null]);
});
