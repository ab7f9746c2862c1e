/** The OpenAPI documents as the viewer shows them: short names in its list, and samples with the TypeScript client. */
type Schema = Record<string, unknown>;

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  schema?: { examples?: unknown[] };
}

interface Operation {
  summary: string;
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

/** `samples`: with the TypeScript client; the viewer itself writes those of curl, JavaScript and Python. */
export function forViewer(document: object, { samples = false } = {}): object {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const shown = (operation: Operation) => ({
    ...operation,
    summary: operation.summary.split(/[,;:] /)[0]!,
    ...(samples ? { 'x-codeSamples': [{ lang: 'TypeScript', label: 'TypeScript client', source: typescriptSample(operation) }] } : {}),
  });
  const inPaths = Object.entries(paths).map(([at, methods]) => [
    at,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, shown(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(inPaths) };
}

function typescriptSample({ operationId, parameters, requestBody }: Operation): string {
  const params = argumentsOf(parameters, 'path');
  const query = argumentsOf(parameters, 'query');
  const example = requestBody?.content['application/json'].example;
  const given: Schema = {
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(example === undefined ? {} : { body: example }),
  };
  const argument = Object.keys(given).length > 0 ? `, ${literal(given)}` : '';
  return `import { StoreClient } from '@store/client';

const store = new StoreClient({ baseUrl, key: process.env.STORE_KEY });
const { data } = await store.call('${operationId}'${argument});`;
}

function argumentsOf(parameters: Parameter[], place: string): Schema | undefined {
  const found = parameters.filter((one) => one.in === place && one.required);
  return found.length === 0 ? undefined : Object.fromEntries(found.map(({ name, schema }) => [name!, schema?.examples?.[0] ?? 1]));
}

const literal = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_$][\w$]*)":/g, '$1:');
