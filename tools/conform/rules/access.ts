/** Scopes, Test Mode, read-only resources, endpoints of staff, and the limit of a key. */
import type { Contract, Operation } from '../contract.ts';
import { Failure, type Rule, same } from '../rule.ts';
import type { Answer, Request, Site } from '../site.ts';

const texts = {
  testMode: 'This API key is in Test Mode, which is read-only. Use a key without Test Mode for write operations.',
  readOnly: 'Write operations are not available for this endpoint via API key',
  internal: 'This endpoint is not available via API key authentication',
  points: 'Loyalty point manipulation is not available via API keys',
};

const scopeRule = 'A missing scope is 403 "Insufficient scope. Required: <scope>".';
const readScopeRule = 'GET and HEAD need the read scope of an endpoint; its write scope does not grant them.';
const testModeRule = 'A Test Mode key may make only GET and HEAD requests, whatever its scopes; anything else is a 403 with its own text.';
const readOnlyRule = 'Resources that have only a read scope refuse any other verb with the read-only 403, whatever the scopes.';
const internalRule = 'Internal endpoints are 403 "This endpoint is not available via API key authentication".';
const pointsRule = 'Changes of loyalty points are 403 "Loyalty point manipulation is not available via API keys".';
const costsRule = 'Without costs:read the keys cost, average_cost and wholesale_price are absent, never null.';
const limitRule = 'Beyond the limit of a key is 429 with X-RateLimit-Limit, X-RateLimit-Remaining 0, X-RateLimit-Reset and Retry-After.';

const readOnly = 'sales purchase_orders gift_cards store_credits loyalty_tiers loyalty_rewards categories brands settings suppliers'.split(
  ' ',
);
const writeScopes = ['products:write', 'customers:write', 'inventory:write', 'storefront:write'];

/** Nothing has the id 0, and an empty body names nothing: not even a broken installation stores anything. */
const harmless = (path: string) => path.replaceAll(/\{\w+\}/g, '0');
const emptyBody = (method: string): Request => (method === 'GET' || method === 'DELETE' ? {} : { body: {} });

function forbidden(answer: Answer, text: string): void {
  same(`the answer to ${answer.method} ${answer.path}`, [answer.status, answer.text], [403, JSON.stringify({ error: text })]);
  same('X-Error-Code', answer.headers.get('x-error-code'), 'forbidden');
}

export function accessRules({ operations, internal }: Contract): Rule[] {
  const scoped = operations.filter(({ scope }) => scope !== '');
  const reads = scoped.filter(({ method, scope }) => method === 'GET' && scope.endsWith(':read'));
  const allScopes = [...new Set(scoped.map(({ scope }) => scope))];
  /** With a key of its own, which is made by staff. */
  const withKey = ({ method, path }: Operation, sentence: string, fields: object, text: string): Rule => ({
    area: 'access',
    subject: `${method} ${path}`,
    sentence,
    needs: 'staff',
    run: async (site) => {
      const { key } = await site.madeKey(fields);
      forbidden(await site.send(method, harmless(path), { key, ...emptyBody(method) }), text);
    },
  });
  /** With the run's key; that it is in Test Mode is checked earlier. */
  const refused = (method: string, path: string, sentence: string, text: string): Rule => ({
    area: 'access',
    subject: `${method} ${path}`,
    sentence,
    run: async (site) => {
      const expected = site.own.test_mode && method !== 'GET' ? texts.testMode : text;
      forbidden(await site.send(method, harmless(path), emptyBody(method)), expected);
    },
  });
  return [
    ...scoped.map((one) => withKey(one, scopeRule, { scopes: ['storefront:read'] }, `Insufficient scope. Required: ${one.scope}`)),
    ...reads.map((one) => withKey(one, readScopeRule, { scopes: writeScopes }, `Insufficient scope. Required: ${one.scope}`)),
    ...operations
      .filter(({ method }) => method !== 'GET')
      .map((one) => withKey(one, testModeRule, { scopes: allScopes, test_mode: true }, texts.testMode)),
    ...readOnly.flatMap((name) => [
      refused('POST', `/${name}`, readOnlyRule, texts.readOnly),
      ...['PATCH', 'DELETE'].map((method) => refused(method, `/${name}/0`, readOnlyRule, texts.readOnly)),
    ]),
    ...internal
      .filter(({ method, path }) => method === 'GET' || !readOnly.includes(path.split('/')[1]!))
      .map(({ method, path }) =>
        method === 'POST' && path.startsWith('/customers/{id}/loyalty/')
          ? refused(method, path, pointsRule, texts.points)
          : refused(method, path, internalRule, texts.internal),
      ),
    { area: 'access', subject: 'GET /products', sentence: costsRule, needs: 'staff', run: withoutCosts },
    { area: 'limits', subject: 'a key with a limit', sentence: limitRule, needs: 'staff', run: limited },
  ];
}

async function withoutCosts(site: Site): Promise<void> {
  const { key } = await site.madeKey({ scopes: ['products:read'] });
  const { body } = await site.send('GET', '/products?per_page=100', { key });
  const shown = body.data.filter((product: object) => ['cost', 'average_cost', 'wholesale_price'].some((name) => name in product));
  same('products that show them', shown, []);
}

const keyLimit = 3;
/** More than two windows can admit. */
const requestsMax = 12;

async function limited(site: Site): Promise<void> {
  const { key } = await site.madeKey({ scopes: ['products:read'], rate_limit: keyLimit }, true);
  for (let n = 0; n < requestsMax; n++) {
    const { status, text, headers } = await site.send('GET', '/key', { key, takes429: true });
    if (status === 200) continue;
    same('the answer', [status, text], [429, '{"error":"Rate limit exceeded. Retry later."}']);
    const said = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-error-code'].map((name) => headers.get(name));
    same('limit, remaining and X-Error-Code', said, [String(keyLimit), '0', 'rate_limited']);
    const [reset, retryAfter] = [Number(headers.get('x-ratelimit-reset')), Number(headers.get('retry-after'))];
    same('whether Retry-After is from 1 to 60, and the second of the reset', [retryAfter >= 1 && retryAfter <= 60, reset % 60], [true, 0]);
    return;
  }
  throw new Failure(`${requestsMax} requests of a key with a limit of ${keyLimit} a minute were all answered`);
}
