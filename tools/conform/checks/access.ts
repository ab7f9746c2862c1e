/** Scopes, Test Mode, read-only resources and endpoints of staff. */
import { areaOf, type Check } from '../check.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { same } from '../outcome.ts';
import type { Answer, Request } from '../site.ts';

const { read, staffWrite } = areaOf('access');

const texts = {
  testMode: 'This API key is in Test Mode, which is read-only. Use a key without Test Mode for write operations.',
  readOnly: 'Write operations are not available for this endpoint via API key',
  internal: 'This endpoint is not available via API key authentication',
  points: 'Loyalty point manipulation is not available via API keys',
};

const ruleOfScope = 'A missing scope is 403 "Insufficient scope. Required: <scope>".';
const ruleOfReads = 'GET and HEAD need the read scope of an endpoint; its write scope does not grant them.';
const ruleOfTestMode =
  'A Test Mode key may make only GET and HEAD requests, whatever its scopes; anything else is a 403 with its own text.';
const ruleOfReadOnly = 'Resources that have only a read scope refuse any other verb with the read-only 403, whatever the scopes.';
const ruleOfInternal = 'Internal endpoints are 403 "This endpoint is not available via API key authentication".';
const ruleOfPoints = 'Changes of loyalty points are 403 "Loyalty point manipulation is not available via API keys".';

const readOnly = [
  'sales',
  'purchase_orders',
  'gift_cards',
  'store_credits',
  'loyalty_tiers',
  'loyalty_rewards',
  'categories',
  'brands',
  'settings',
];
const writeScopes = ['products:write', 'customers:write', 'inventory:write', 'storefront:write'];

/** Nothing has the id 0, and an empty body names nothing: not even a broken installation stores anything. */
const harmless = (path: string) => path.replaceAll(/\{\w+\}/g, '0');
const emptyBody = (method: string): Request => (method === 'GET' || method === 'DELETE' ? {} : { body: {} });

function forbidden(answer: Answer, text: string): void {
  same(`the answer to ${answer.method} ${answer.path}`, [answer.status, answer.text], [403, JSON.stringify({ error: text })]);
  same('X-Error-Code', answer.headers.get('x-error-code'), 'forbidden');
}

/** The run's key, unless it is in Test Mode: that is checked earlier. */
async function sendWrite(kit: Kit, method: string, path: string, text: string): Promise<void> {
  forbidden(await kit.send(method, path, emptyBody(method)), kit.key.test_mode && method !== 'GET' ? texts.testMode : text);
}

export function accessChecks({ operations, internal }: Contract): Check[] {
  const scoped = operations.filter(({ scope }) => scope !== '');
  const reads = scoped.filter(({ method, scope }) => method === 'GET' && scope.endsWith(':read'));
  return [
    ...scoped.map((operation) => staffWrite(nameOf(operation), ruleOfScope, [], (kit) => withoutScope(kit, operation))),
    ...reads.flatMap((operation) => [
      staffWrite(nameOf(operation), ruleOfReads, [], (kit) => withWriteScopes(kit, 'GET', operation)),
      staffWrite(`HEAD ${operation.path}`, ruleOfReads, [], (kit) => withWriteScopes(kit, 'HEAD', operation)),
    ]),
    ...operations
      .filter(({ method }) => method !== 'GET')
      .map((operation) => staffWrite(nameOf(operation), ruleOfTestMode, [], (kit) => inTestMode(kit, operation))),
    ...readOnly.flatMap((resource) =>
      ['POST', 'PATCH', 'DELETE'].map((method) => {
        const path = method === 'POST' ? `/${resource}` : `/${resource}/0`;
        return read(`${method} ${path}`, ruleOfReadOnly, [], (kit) => sendWrite(kit, method, path, texts.readOnly));
      }),
    ),
    ...internal
      .filter(({ method, path }) => method === 'GET' || !readOnly.includes(path.split('/')[1]!))
      .map(({ method, path }) => {
        const points = method === 'POST' && path.startsWith('/customers/{id}/loyalty/');
        return read(`${method} ${path}`, points ? ruleOfPoints : ruleOfInternal, [], (kit) =>
          sendWrite(kit, method, harmless(path), points ? texts.points : texts.internal),
        );
      }),
    read('GET /key', 'GET /key shows any key its name, scopes, limits, expiry and mode.', [], async (kit) => {
      const names = ['name', 'scopes', 'rate_limit', 'effective_limit', 'expires_at', 'test_mode', 'last_used_at'];
      same('data', Object.keys(await kit.data('/key')), names);
    }),
    ...costs,
  ];
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** A key that holds a scope which grants nothing here. */
async function withoutScope(kit: Kit, { method, path, scope }: Operation): Promise<void> {
  const { key } = await kit.staff.key(kit, { scopes: ['storefront:read'] });
  forbidden(await kit.send(method, harmless(path), { key, ...emptyBody(method) }), `Insufficient scope. Required: ${scope}`);
}

async function withWriteScopes(kit: Kit, method: string, { path, scope }: Operation): Promise<void> {
  const { key } = await kit.staff.key(kit, { scopes: writeScopes });
  const answer = await kit.send(method, harmless(path), { key });
  if (method === 'HEAD') same('the status', answer.status, 403);
  else forbidden(answer, `Insufficient scope. Required: ${scope}`);
}

async function inTestMode(kit: Kit, { method, path }: Operation): Promise<void> {
  const scopes = [...new Set(kit.contract.operations.map(({ scope }) => scope))].filter((scope) => scope !== '');
  const { key } = await kit.staff.key(kit, { scopes, test_mode: true });
  forbidden(await kit.send(method, harmless(path), { key, ...emptyBody(method) }), texts.testMode);
}

const costNames = ['cost', 'average_cost', 'wholesale_price'];

const costs = [
  staffWrite(
    'GET /products',
    'Without costs:read the keys cost, average_cost and wholesale_price are absent, never null.',
    [],
    async (kit) => {
      const { key } = await kit.staff.key(kit, { scopes: ['products:read'] });
      const { body } = await kit.send('GET', '/products?per_page=100', { key });
      for (const product of body.data)
        same(
          `costs of product ${product.id}`,
          costNames.filter((name) => name in product),
          [],
        );
    },
  ),
  read(
    'GET /products',
    'cost, average_cost and wholesale_price are text with two decimals, for a key that holds costs:read.',
    ['products:read', 'costs:read'],
    async (kit) => {
      for (const product of await kit.data('/products?per_page=100')) {
        for (const name of costNames.filter((one) => one in product)) {
          same(`${name} of product ${product.id} as text with two decimals`, /^\d+\.\d{2}$/.test(product[name]), true);
        }
      }
    },
  ),
  staffWrite('GET /products', 'A Test Mode key reads the real store.', ['products:read'], async (kit) => {
    const { key } = await kit.staff.key(kit, { scopes: ['products:read'], test_mode: true });
    const tested = await kit.send('GET', '/products?per_page=1', { key });
    same('the status', tested.status, 200);
  }),
];
