/** The events as data: GET /docs/events.json. Each has a JSON Schema that needs no other document. */
import type { Schema } from '@store/openapi';

export interface CatalogueEvent {
  event: string;
  description: string;
  /** The event is sent once and is neither subscribed to nor in GET /events. */
  test: boolean;
  headers: { name: string; description: string; required: boolean; schema: Schema }[];
  schema: Schema;
  example: Schema;
}

interface EventOperation {
  description: string;
  parameters: { name: string; description: string; required: boolean; schema: Schema }[];
  requestBody: { content: { 'application/json': { schema: { $ref: string }; example: Schema } } };
}

export interface CatalogueSource {
  webhooks: Record<string, { post: EventOperation }>;
  components: { schemas: Record<string, Schema> };
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';
const testEvent = 'webhook.test';

export function eventCatalogue({ webhooks, components }: CatalogueSource): CatalogueEvent[] {
  return Object.entries(webhooks).map(([event, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'];
    return {
      event,
      description: post.description,
      test: event === testEvent,
      headers: post.parameters.map(({ name, description, required, schema: of }) => ({ name, description, required, schema: of })),
      schema: standAlone(schema.$ref, components.schemas),
      example,
    };
  });
}

const prefix = '#/components/schemas/';

/** The schema with all that it refers to below $defs. */
function standAlone($ref: string, schemas: Record<string, Schema>): Schema {
  const defs: Record<string, Schema> = {};
  const localized = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(localized);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (name !== '$ref' || typeof inner !== 'string') return [name, localized(inner)];
        const wanted = inner.slice(prefix.length);
        if (!(wanted in defs)) {
          defs[wanted] = {};
          defs[wanted] = localized(schemas[wanted]) as Schema;
        }
        return ['$ref', `#/$defs/${wanted}`];
      }),
    );
  };
  const own = localized(schemas[$ref.slice(prefix.length)]) as Schema;
  return { $schema: dialect, ...own, ...(Object.keys(defs).length > 0 ? { $defs: defs } : {}) };
}
