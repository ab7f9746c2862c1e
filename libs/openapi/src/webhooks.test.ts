/** The section `webhooks` of the keys' document: the requests that subscribers receive. */
import { describe, expect, test } from '@jest/globals';
import { eventKinds } from '@store/contract';
import { openApiDocument } from './document.ts';
import { judgeOf } from './judge.testing.ts';

interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: object; description: string }[];
  requestBody: { content: { 'application/json': { schema: object; example: Record<string, unknown> } } };
  responses: Record<string, object>;
}

const document = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }) as unknown as {
  webhooks: Record<string, { post: Operation }>;
  tags: { name: string }[];
  components: { schemas: Record<string, { properties: Record<string, object>; required: string[] }> };
};
const faults = judgeOf(document);
const media = (name: string) => document.webhooks[name]!.post.requestBody.content['application/json'];
const names = Object.keys(document.webhooks);

describe('the section webhooks', () => {
  test('has each of the nine events of the specification, and the test event', () => {
    expect(names).toEqual([
      'sale.completed',
      'sale.voided',
      'product.created',
      'product.updated',
      'product.deleted',
      'customer.created',
      'customer.updated',
      'inventory.adjusted',
      'purchase_order.received',
      'webhook.test',
    ]);
    expect(eventKinds().map((kind) => kind.name)).toEqual(names.slice(0, -1));
  });

  test.each(names)('%s: its example matches its schema, and another event does not', (name) => {
    const { schema, example } = media(name);
    expect(faults(schema, example)).toEqual([]);
    expect(faults(schema, { ...example, event: 'other.event' })).not.toEqual([]);
    expect(faults(schema, { ...example, id: undefined })).not.toEqual([]);
  });

  test.each(names)('%s: its headers have valid examples, and its answers say what is retried', (name) => {
    const { parameters, responses, tags } = document.webhooks[name]!.post;
    for (const header of parameters) {
      const { examples = [], const: fixed } = header.schema as { examples?: unknown[]; const?: unknown };
      // An event that was not caused by a request names none.
      const isSure = header.name !== 'X-Service-Request';
      expect([header.name, header.in, header.required, header.description.length > 0]).toEqual([header.name, 'header', isSure, true]);
      for (const value of fixed === undefined ? examples : [fixed]) expect(faults(header.schema, value)).toEqual([]);
      expect([header.name, fixed !== undefined || examples.length > 0]).toEqual([header.name, true]);
    }
    expect(Object.keys(responses).sort()).toEqual(['2XX', '429', '5XX', 'default']);
    expect(document.tags.map((tag) => tag.name)).toContain(tags[0]);
  });

  test('the data of an event is its resource, or the id alone (Payload 2)', () => {
    const { schema, example } = media('inventory.adjusted');
    expect(example).toMatchObject({
      resource_type: 'InventoryTransaction',
      data: { id: example.resource_id, old_stock: expect.any(Number) },
    });
    expect(faults(schema, { ...example, data: { id: 5 } })).toEqual([]);
    expect(faults(schema, { ...example, data: {} })).not.toEqual([]);
    const deleted = media('product.deleted');
    expect(faults(deleted.schema, { ...deleted.example, data: { id: 5 } })).toEqual([]);
  });

  test.each([
    ['Customer', ['id', 'email_receipt_opt_in', 'birthday_today', 'lifetime_spend', 'store_credit_balance', 'visit_count']],
    ['Sale', ['id', 'receipt_number', 'status', 'subtotal', 'tax_amount', 'discount_amount', 'total', 'line_items']],
    ['PurchaseOrder', ['id', 'order_number', 'status', 'supplier', 'subtotal', 'has_variance', 'line_items', 'received_at']],
    ['PurchaseOrderLineItem', ['quantity_ordered', 'quantity_invoiced', 'fulfillment_variance', 'variance_value', 'supplier_document_id']],
  ])('%s has the fields of the specification; what is always sent is required', (name, present) => {
    const { properties, required } = document.components.schemas[name]!;
    for (const field of present) expect([field, field in properties, required.includes(field)]).toEqual([field, true, true]);
  });
});
