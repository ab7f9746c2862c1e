/** One tool per operation of the keys' OpenAPI document that the client knows and the key may call. */
import { operations } from '@store/client';

const tried = 'Tries the request and keeps nothing: all checks run and the answer is the real one. Send false to really do it.';
const confirmed = 'This cannot be tried first. Send true to really do it.';

/**
 * `writes`: with the tools that change something. `subscriptions`: with those that tell the store where to send its events; a text in
 * the store's data that talks a model into one sends them to a stranger.
 * @returns {{ name: string, definition: object, operation: object }[]}
 */
export function toolsOf(document, key, { writes = false, subscriptions = false } = {}) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, described]) => toolOf(document, { path, method: method.toUpperCase(), described }))
      .filter(({ isRead, sendsOut }) => isRead || (writes && (subscriptions || !sendsOut)))
      .filter(({ name, scope, isRead }) => Object.hasOwn(operations, name) && mayCall(key, scope, isRead)),
  );
}

const mayCall = ({ scopes, test_mode }, scope, isRead) => (isRead || !test_mode) && (scope === undefined || scopes.includes(scope));

function toolOf(document, { path, method, described }) {
  const { operationId: name, summary, description, security, parameters = [], requestBody } = described;
  const own = parameters.filter((one) => one.name !== undefined);
  const takesDryRun = parameters.some((one) => one.$ref?.endsWith('/DryRun'));
  const isRead = method === 'GET';
  const sendsOut = !isRead && path.startsWith('/webhook_subscriptions');
  const kind = isRead ? 'read' : takesDryRun ? 'tried' : 'confirmed';
  const properties = Object.fromEntries(own.map((one) => [one.name, { ...inlined(document, one.schema), description: one.description }]));
  const required = own.filter((one) => one.required).map((one) => one.name);
  if (requestBody) {
    properties.body = inlined(document, requestBody.content['application/json'].schema);
    if (requestBody.required) required.push('body');
  }
  if (kind === 'tried') properties.dry_run = { type: 'boolean', default: true, description: tried };
  if (kind === 'confirmed') {
    properties.confirm = { const: true, description: confirmed };
    required.push('confirm');
  }
  return {
    name,
    scope: security?.[0]?.apiKey?.[0],
    isRead,
    sendsOut,
    kind,
    paramNames: own.filter((one) => one.in === 'path').map((one) => one.name),
    queryNames: own.filter((one) => one.in === 'query').map((one) => one.name),
    definition: {
      name,
      title: summary,
      description: `${description ?? summary}\n\n${method} ${path}${noteOf(kind)}`,
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      annotations: {
        title: summary,
        readOnlyHint: isRead,
        // A POST may overwrite too: bulk_upsert, a count of stock.
        destructiveHint: !isRead,
        // The client sends an Idempotency-Key per call: two calls are two changes.
        idempotentHint: isRead || method === 'PUT' || method === 'DELETE',
        // The store then calls an address that the request names.
        openWorldHint: sendsOut,
      },
    },
  };
}

function noteOf(kind) {
  if (kind === 'read') return '';
  return kind === 'tried' ? '\n\nA dry run unless dry_run is false.' : '\n\nNot done unless confirm is true.';
}

/** The schema without references: not every client of MCP follows them. Inputs have no cycles. */
function inlined(document, schema) {
  if (Array.isArray(schema)) return schema.map((one) => inlined(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    const found = $ref
      .split('/')
      .slice(1)
      .reduce((value, name) => value[name], document);
    return { ...inlined(document, found), ...beside };
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, inlined(document, value)]));
}
