/** The section `webhooks`: the requests sent to subscribers, one operation for each event. */
import { type EventKind, eventKinds, messageType } from '@store/contract';
import type { Schema } from './field-schema.ts';
import { exampleOf, sampleRequestId, sampleTimestamp } from './samples.ts';
import { object, type Schemas } from './schemas.ts';

const event = 'store.webhooks.v1.Event';
/** Samples of one delivery; the signature is not made with a real secret. */
const hex = 'dd1d8ceb8d7b63f77e3a731820630f5241076d959316c875f8b6e81f2fd47b12';
const base64 = 'yFAOFaKEVT2PSCfLMJfK/TWp/lhOqhTn38aVyr37494=';
const id = '7b0c6b0e-8f3e-4a4e-9d43-3f1f3a7f6c01';

const text = (examples: string[], pattern?: string): Schema => ({ type: 'string', ...(pattern ? { pattern } : {}), examples });
const whole = (minimum: number, examples: number[], more: Schema = {}): Schema => ({ type: 'integer', minimum, ...more, examples });
const header = (name: string, description: string, schema: Schema, required = true): Schema => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const signed = [
  header('User-Agent', 'Names the sender.', { type: 'string', const: 'Store-Webhooks/1.0' }),
  header(
    'X-Service-Signature',
    'sha256= and the lower-case hex HMAC-SHA256 of the raw body, keyed with the signing secret. Verify it on the raw bytes, in constant time, before parsing.',
    text([`sha256=${hex}`], '^sha256=[0-9a-f]{64}$'),
  ),
  header('webhook-id', "The body's id (Standard Webhooks).", text([id])),
  header('webhook-timestamp', 'Time of the attempt in Unix seconds (Standard Webhooks).', whole(0, [1_795_219_200])),
  header(
    'webhook-signature',
    'Signatures by Standard Webhooks, separated by spaces: one for each secret in force.',
    text([`v1,${base64}`]),
  ),
];

const request = 'X-Request-Id of the request that caused the event. Absent where none did.';
const delivered = [
  header('X-Service-Delivery', "The body's id, the same on every attempt. Drop repeats by it.", text([id])),
  header('X-Service-Sequence', "Number of the event in the store's log; GET /events counts by it.", whole(1, [4712])),
  header('X-Service-Attempt', 'Which attempt this is.', whole(1, [1], { maximum: 5 })),
  header('X-Service-Request', request, text([sampleRequestId]), false),
];

const answers = {
  '2XX': { description: 'Received. Any 2xx is a success; the body is not read.' },
  '429': { description: 'Failed. Tried again, 5 attempts in all.' },
  '5XX': { description: 'Failed. Tried again after 1 minute, 5 minutes, 30 minutes and 2 hours.' },
  default: { description: 'Failed for good. Redirects are not followed.' },
};

/** webhook.test is sent by the test endpoint only; it cannot be subscribed to. */
export function webhooksOf(schemas: Schemas): Record<string, Schema> {
  const found = eventKinds().map((kind) => [kind.name, { post: eventOperation(kind, schemas) }]);
  return Object.fromEntries([...found, ['webhook.test', { post: testOperation(schemas) }]]);
}

function eventOperation(kind: EventKind, schemas: Schemas): Schema {
  const example = { ...exampleOf(messageType(event)), event: kind.name, resource_type: kind.resourceType, ...exampleData(kind) };
  const { sequence: _sequence, ...body } = example as Record<string, unknown>;
  return operation(kind.name, kind.description, [...signed, ...delivered], {
    schema: schemas.named(`${pascal(kind.name)}Event`, (title) => payload(title, kind, schemas)),
    example: body,
  });
}

function operation(name: string, description: string, headers: Schema[], media: Schema): Schema {
  return {
    operationId: `on${pascal(name)}`,
    tags: ['Webhook events'],
    summary: description.split(/(?<=\.) /)[0]!.replace(/\.$/, ''),
    description,
    security: [],
    parameters: [header('X-Service-Event', "The event's name.", { type: 'string', const: name }), ...headers],
    requestBody: { required: true, content: { 'application/json': media } },
    responses: answers,
  };
}

/** The event as GET /events shows it, without its sequence, with the data of its type. */
function payload(title: string, kind: EventKind, schemas: Schemas): Schema {
  const fields = schemas.fieldsOf(messageType(event)).filter(({ name }) => name !== 'sequence');
  const { properties } = schemas.outputObject(fields) as { properties: Record<string, Schema> };
  const fixed = (name: string, value: string) => ({ type: 'string', const: value, description: properties[name]!.description });
  return object({
    title,
    description: kind.description,
    properties: {
      ...properties,
      event: fixed('event', kind.name),
      resource_type: fixed('resource_type', kind.resourceType),
      data: dataOf(kind, schemas),
    },
    required: fields.map(({ name }) => name),
  });
}

/** "If the record can no longer be found, data is { id: <resource_id> }" (Payload 2). */
function dataOf(kind: EventKind, schemas: Schemas): Schema {
  const gone = schemas.named('RecordId', (title) =>
    object({
      title,
      description: 'The id alone, of a record that is deleted or can no longer be found.',
      properties: { id: { type: 'integer', format: 'int64', description: 'Id of the record.' } },
      required: ['id'],
    }),
  );
  if (kind.data === '') return { ...gone, description: 'The id of the record.' };
  return {
    description: 'The record as it was when the event happened, without costs; its id alone when it can no longer be found.',
    anyOf: [schemas.output(messageType(kind.data)), gone],
  };
}

function exampleData(kind: EventKind): { resource_id: unknown; data: Record<string, unknown> } {
  const data =
    kind.data === ''
      ? { id: 1042 }
      : { ...exampleOf(messageType(kind.data)), ...(kind.name === 'sale.voided' ? { status: 'voided' } : {}) };
  return { resource_id: data.id, data };
}

function testOperation(schemas: Schemas): Schema {
  const description = 'The test event of POST /webhook_subscriptions/{id}/test. It is not in the event log and is never sent again.';
  const data = object({
    description: 'What the test event says.',
    properties: { message: { type: 'string', description: 'A sentence for people.' } },
    required: ['message'],
  });
  const { properties } = schemas.outputObject(schemas.fieldsOf(messageType(event))) as { properties: Record<string, Schema> };
  const { id: idSchema, created_at } = properties;
  const schema = schemas.named('WebhookTestEvent', (title) =>
    object({
      title,
      description,
      properties: {
        id: idSchema!,
        event: { type: 'string', const: 'webhook.test', description: 'Name of the event.' },
        created_at: created_at!,
        data,
      },
      required: ['id', 'event', 'created_at', 'data'],
    }),
  );
  const example = {
    id,
    event: 'webhook.test',
    created_at: sampleTimestamp,
    data: { message: 'This is a test of your webhook subscription.' },
  };
  return operation('webhook.test', description, signed, { schema, example });
}

const pascal = (name: string): string => name.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
