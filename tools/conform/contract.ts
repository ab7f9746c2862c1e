/** Reads the keys' OpenAPI document: the operations, and the schema of each answer. */
import { openApiDocument } from '@store/openapi';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Described {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name?: string; in?: string; $ref?: string; schema?: { default?: unknown } }[];
  requestBody?: object;
  responses: Record<string, { $ref?: string }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
}

export interface Operation {
  id: string;
  method: string;
  /** With its parameters: /products/{id}. */
  path: string;
  scope: string;
  pathParameters: string[];
  /** Rows to a page by default; undefined where there are no pages. */
  perPage: number | undefined;
  takesBody: boolean;
  takesIdempotencyKey: boolean;
  takesDryRun: boolean;
}

const documentId = 'https://contract.example/openapi.json';
const methods = ['get', 'post', 'patch', 'put', 'delete'];

export interface Contract {
  operations: Operation[];
  /** Method and path of what staff alone may call. */
  internal: { method: string; path: string }[];
  /** What is wrong with an answer of the operation; empty when nothing is. */
  faults(operation: Operation, status: number, body: unknown): string[];
}

let opened: Contract | undefined;

/** It is the same for every run of a process. */
export function openContract(): Contract {
  opened ??= readContract();
  return opened;
}

function readContract(): Contract {
  const document = openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }) as unknown as Document;
  const staff = openApiDocument({ audience: 'staff', serverUrl: '/api/v1' }) as unknown as Document;
  const operations = routesOf(document).map(({ method, path, described }) => operationOf(method, path, described));
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const faults = faultsBy(document);
  return {
    operations,
    internal: routesOf(staff).filter(({ method, path }) => !known.has(`${method} ${path}`)),
    faults: ({ method, path }, status, body) => faults(method, path, status, body),
  };
}

/** What is wrong with an answer by that OpenAPI document; empty when nothing is. */
export function faultsBy(document: object): (method: string, path: string, status: number, body: unknown) => string[] {
  const { paths } = document as Document;
  const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));
  for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
  ajv.addSchema({ $id: documentId, ...document });
  return (method, path, status, body) => {
    const response = paths[path]?.[method.toLowerCase()]?.responses[status];
    const place = response?.$ref ?? `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
    const at = `${documentId}${place}/content/application~1json/schema`;
    const validate: ValidateFunction | undefined = response && ajv.getSchema(at);
    if (!validate) return [`status ${status} is not one that the reference names`];
    if (validate(body)) return [];
    return validate.errors!.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };
}

function routesOf({ paths }: Document): { method: string; path: string; described: Described }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ method: method.toUpperCase(), path, described: item[method]! })),
  );
}

function operationOf(method: string, path: string, { operationId, security, parameters, requestBody }: Described): Operation {
  const refers = (name: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`));
  const page = parameters.find(({ name }) => name === 'page');
  return {
    id: operationId,
    method,
    path,
    scope: security[0]!.apiKey![0] ?? '',
    pathParameters: parameters.filter((one) => one.in === 'path').map(({ name }) => name!),
    perPage: page && Number(parameters.find(({ name }) => name === 'per_page')!.schema!.default),
    takesBody: requestBody !== undefined,
    takesIdempotencyKey: refers('IdempotencyKey'),
    takesDryRun: refers('DryRun'),
  };
}
