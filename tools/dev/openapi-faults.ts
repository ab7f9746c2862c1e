/** Checks the OpenAPI documents by two independent validators and by rules that no meta-schema has. */
import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Audience, openApiDocument } from '@store/openapi';

type Node = Record<string, unknown>;
const audiences: Audience[] = ['keys', 'staff'];

/** OpenAPI 3.1 with the JSON Schema dialect that 3.1 documents have when they name none. */
const metaSchema = 'https://spec.openapis.org/oas/3.1/schema-base';

export async function openApiFaults(): Promise<string[]> {
  const found = await Promise.all(audiences.map(async (audience) => (await faultsOf(audience)).map((fault) => `${audience}: ${fault}`)));
  return found.flat();
}

async function faultsOf(audience: Audience): Promise<string[]> {
  const document = JSON.parse(JSON.stringify(openApiDocument({ audience, serverUrl: '/api/v1' }))) as Node;
  return [...(await validatorFaults(document)), ...undescribed(document), ...titleFaults(document), ...typeFaults(document)];
}

/** @seriousme runs ajv over the published schema; Hyperjump, an independent implementation, also checks the JSON Schemas inside. */
export async function validatorFaults(document: Node): Promise<string[]> {
  const copy = () => JSON.parse(JSON.stringify(document)) as Node;
  const first = await new Validator().validate(copy());
  // biome-ignore lint/suspicious/noExplicitAny: Hyperjump's type of JSON has no index signature.
  const second = await validate(metaSchema, copy() as any, 'BASIC');
  return [
    ...(first.valid ? [] : [`@seriousme/openapi-schema-validator: ${JSON.stringify(first.errors).slice(0, 1000)}`]),
    ...(second.valid ? [] : [`@hyperjump/json-schema: ${JSON.stringify(second.errors).slice(0, 1000)}`]),
  ];
}

/** Every component, property, parameter, header and tag has a description; a reference may leave it to its target. */
export function undescribed(document: Node): string[] {
  const faults: string[] = [];
  visit(document, '', (node, place) => {
    const said = typeof node.description === 'string' && node.description.trim() !== '';
    if (needsDescription(place, node) && !said && node.$ref === undefined) faults.push(`${place} has no description`);
  });
  return faults;
}

function needsDescription(place: string, node: Node): boolean {
  if (/\/components\/(schemas|headers|parameters|securitySchemes|responses)\/[^/]+$/.test(place)) return true;
  if (/\/properties\/[^/]+$/.test(place) || /\/tags\/\d+$/.test(place)) return true;
  return /\/parameters\/\d+$/.test(place) || node.operationId !== undefined;
}

/** Code generators name types by titles. */
export function titleFaults(document: Node): string[] {
  const places = new Map<string, string[]>();
  visit(document, '', (node, place) => {
    if (typeof node.title === 'string' && place !== '/info') places.set(node.title, [...(places.get(node.title) ?? []), place]);
  });
  return [...places].filter(([, found]) => found.length > 1).map(([title, found]) => `the title ${title} is used at ${found.join(', ')}`);
}

/** A value has one type, and may be null; code generators of typed languages cannot use a list of types. */
export function typeFaults(document: Node): string[] {
  const faults: string[] = [];
  visit(document, '', (node, place) => {
    if (Array.isArray(node.type) && node.type.filter((type) => type !== 'null').length > 1) faults.push(`${place} has several types`);
  });
  return faults;
}

/** Every object of the document except those inside examples, which are values. */
function visit(value: unknown, place: string, look: (node: Node, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) look(value as Node, place);
  for (const [key, inner] of Object.entries(value)) {
    const isValue = ['example', 'examples', 'default', 'enum', 'const'].includes(key) && !place.endsWith('/properties');
    if (!isValue) visit(inner, `${place}/${key}`, look);
  }
}
