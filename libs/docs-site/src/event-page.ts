import type { Schema } from '@store/openapi';
import type { CatalogueEvent } from './event-catalogue.ts';
import { breakable, escapeHtml, slugOf } from './html.ts';
import { codeBlock, type Rendered, scrollable, sectionHeading } from './markdown.ts';

const introduction = `<h1 id="event-catalogue">Event catalogue</h1>
<p>The store sends a signed <code>POST</code> to each subscribed address when one of these events happens. <a href="/docs/verify-a-webhook">Verify
a webhook</a> shows a receiver, <a href="/docs/webhooks">All rules of webhooks</a> the retries and the order. The catalogue as data, with a complete JSON Schema
for each event: <a href="/docs/events.json">events.json</a>; one schema: <code>/docs/events/product.updated.json</code>.</p>`;

export function eventPage(events: CatalogueEvent[]): Rendered {
  const headings = [
    { depth: 1, id: 'event-catalogue', text: 'Event catalogue' },
    { depth: 2, id: 'headers', text: 'Headers' },
    ...events.map(({ event }) => ({ depth: 2, id: slugOf(event), text: event })),
  ];
  const html = [introduction, overview(events), headersSection(events), ...events.map(eventSection)].join('\n');
  return { html, title: 'Event catalogue', headings };
}

function overview(events: CatalogueEvent[]): string {
  const rows = events.map(
    ({ event, description }) =>
      `<tr><td><a href="#${slugOf(event)}"><code>${breakable(event)}</code></a></td><td>${escapeHtml(description)}</td></tr>`,
  );
  return scrollable('Events', '<th>Event</th><th>When it fires</th>', rows.join(''));
}

/** All events have the same headers; the test event has fewer. */
function headersSection(events: CatalogueEvent[]): string {
  const test = new Set(events.find((event) => event.test)?.headers.map(({ name }) => name));
  const rows = events[0]!.headers.map(({ name, description, required }) => {
    const notes = [required ? '' : 'May be absent.', test.has(name) ? '' : 'Not sent with webhook.test.'].filter((note) => note !== '');
    const text = name === 'X-Service-Event' ? "The event's name." : description;
    return `<tr><td><code>${breakable(name)}</code></td><td>${escapeHtml([text, ...notes].join(' '))}</td></tr>`;
  });
  const table = scrollable('Headers', '<th>Header</th><th>Meaning</th>', rows.join(''));
  return `${sectionHeading(2, 'headers', 'Headers')}<p>The headers are the same for every event.</p>${table}`;
}

function eventSection({ event, description, schema, example }: CatalogueEvent): string {
  const id = slugOf(event);
  return `<section class="event">${sectionHeading(2, id, escapeHtml(event))}
<p>${escapeHtml(description)}</p>
<p class="label">Example of the body</p>
${codeBlock(JSON.stringify(example, null, 2), 'json')}
<details><summary>Fields of <code>data</code></summary>${dataFields(schema)}</details>
<details><summary>JSON Schema</summary><p><a href="/docs/events/${event}.json">${event}.json</a></p>${codeBlock(JSON.stringify(schema, null, 2), '')}</details>
</section>`;
}

function dataFields(schema: Schema): string {
  const defs = (schema.$defs ?? {}) as Record<string, Schema>;
  const rows = fieldRows((schema.properties as Record<string, Schema>).data!, defs, '', []);
  return scrollable('Fields', '<th>Field</th><th>Type</th><th>Meaning</th>', rows.join(''));
}

/** A row for each field, the fields of objects and lists after their parent. */
function fieldRows(schema: Schema, defs: Record<string, Schema>, path: string, within: Schema[]): string[] {
  const object = objectOf(schema, defs);
  if (!object || within.includes(object)) return [];
  const required = new Set((object.required ?? []) as string[]);
  return Object.entries(object.properties as Record<string, Schema>).flatMap(([name, field]) => {
    const at = `${path}${name}`;
    const note = required.has(name) ? '' : ' <span class="optional">may be absent</span>';
    const row = `<tr><td><code>${breakable(at)}</code>${note}</td><td>${escapeHtml(typeText(field, defs))}</td><td>${escapeHtml(String(field.description ?? ''))}</td></tr>`;
    return [row, ...fieldRows(field, defs, `${at}${isList(field) ? '[]' : ''}.`, [...within, object])];
  });
}

const isList = (schema: Schema): boolean => schema.type === 'array';

/** The object that a field holds, also within a list or beside null; of several, the one with the most fields. */
function objectOf(schema: Schema | undefined, defs: Record<string, Schema>): Schema | undefined {
  if (!schema) return undefined;
  if (typeof schema.$ref === 'string') return objectOf(defs[schema.$ref.slice('#/$defs/'.length)], defs);
  if (isList(schema)) return objectOf(schema.items as Schema, defs);
  if (schema.properties) return schema;
  const found = ((schema.anyOf ?? []) as Schema[]).map((one) => objectOf(one, defs)).filter((one) => one !== undefined);
  const size = (one: Schema) => Object.keys(one.properties as object).length;
  return found.sort((a, b) => size(b) - size(a))[0];
}

function typeText(schema: Schema, defs: Record<string, Schema>): string {
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (isList(schema)) return `list of ${typeText(schema.items as Schema, defs)}`;
  if (schema.anyOf) return [...new Set((schema.anyOf as Schema[]).map((one) => typeText(one, defs)))].join(' or ');
  if (schema.format === 'date-time') return 'time';
  return typeof schema.type === 'string' ? schema.type : 'object';
}
