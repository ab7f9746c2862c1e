/** Errors: what is not there, and the shape of what is refused. */
import { areaOf, type Check } from '../check.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { same } from '../outcome.ts';
import type { Answer, Request } from '../site.ts';

const { read } = areaOf('errors');

const unknownRecord = 'An unknown id is 404 "<Resource> not found".';
const badId = 'An id that is no positive whole number, or is too large, is as an unknown one.';
const noRoute = 'A path or verb that does not exist is 404 "Not found", never 405.';
const plain = 'Error bodies are not wrapped: no data, meta or pagination.';
const coded = 'Every error has X-Error-Code, X-Request-Id and a JSON body.';
const noCode = 'code is in the body of plan-related errors only.';
const allowRule = 'OPTIONS is 204 with Allow, without a key and without CORS headers.';

const resourceOf: Record<string, string> = {
  products: 'Product',
  customers: 'Customer',
  store_credits: 'Customer',
  sales: 'Sale',
  purchase_orders: 'Purchase order',
  gift_cards: 'Gift card',
  webhook_subscriptions: 'Webhook subscription',
};
/** Larger than any id that is given out, and safe as a number. */
const unknownId = '9007199254740991';

export function errorChecks({ operations }: Contract): Check[] {
  const byId = operations.filter(({ method, pathParameters }) => method === 'GET' && pathParameters.length > 0);
  const byNumber = byId.filter(({ path }) => !path.includes('/lookup'));
  return [
    ...byNumber.map((operation) => find(operation, unknownRecord, unknownId)),
    ...byNumber.flatMap((operation) => ['0', '-1', 'abc', '1.5', '99999999999999999999'].map((id) => find(operation, badId, id))),
    find(byId.find(({ path }) => path.endsWith('/lookup_by_card/{card_number}'))!, unknownRecord, 'conform-no-such-card'),
    find(byId.find(({ path }) => path.endsWith('/lookup/{card_number}'))!, unknownRecord, 'CONFORM-NO-SUCH-CARD'),
    ...routes,
    ...shapes,
    ...[...new Set(operations.map(({ path }) => path))].map((path) =>
      read(`OPTIONS ${path}`, allowRule, [], async (kit) => {
        const { status, headers } = await kit.send('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'), { key: null });
        const allowed = headers.get('allow')?.split(/,\s*/) ?? [];
        const missing = operations.filter((one) => one.path === path && !allowed.includes(one.method)).map(({ method }) => method);
        same('status and what Allow lacks', [status, missing], [204, []]);
        same(
          'CORS headers',
          [...headers.keys()].filter((name) => name.startsWith('access-control')),
          [],
        );
      }),
    ),
  ];
}

function find(operation: Operation, sentence: string, id: string): Check {
  const resource = resourceOf[operation.path.split('/')[1]!]!;
  const path = operation.path.replace(/\{\w+\}/, id);
  const scopes = operation.scope === '' ? [] : [operation.scope];
  return read(`GET ${path}`, sentence, scopes, async (kit) => {
    const answer = await kit.get(path);
    same('the answer', [answer.status, answer.text], [404, JSON.stringify({ error: `${resource} not found` })]);
    same('X-Error-Code', answer.headers.get('x-error-code'), 'not_found');
  });
}

/** Paths that nobody has; a Test Mode key may only read them. */
const nowhere: [string, string][] = [
  ['GET', '/nothing'],
  ['GET', '/products/1/more'],
  ['GET', '/Products'],
  ['GET', '/gift_cards'],
  ['GET', '/stock_adjustments/1'],
  ['GET', '/storefront'],
  ['DELETE', '/stock_adjustments/0'],
  ['PUT', '/products/0'],
  ['PUT', '/stock_adjustments'],
  ['PATCH', '/products'],
  ['DELETE', '/customers'],
];

const routes = nowhere.map(([method, path]) =>
  read(`${method} ${path}`, noRoute, [], async (kit) => {
    const answer = await kit.send(method, path, method === 'PUT' || method === 'PATCH' ? { body: {} } : {});
    const testMode = kit.key.test_mode && method !== 'GET';
    same('the answer', testMode ? answer.status : [answer.status, answer.text], testMode ? 403 : [404, '{"error":"Not found"}']);
  }),
);

const refusals: [string, (kit: Kit) => Promise<Answer>][] = [
  ['401', (kit) => kit.send('GET', '/products', { key: null })],
  ['403', (kit) => kit.send('POST', '/sales', { body: {} })],
  ['404', (kit) => kit.send('GET', `/products/${unknownId}`)],
  ['404 of a path', (kit) => kit.send('GET', '/nothing')],
  ['422', (kit) => kit.send('GET', '/key?x=1', strictly)],
];
const strictly: Request = { headers: { Prefer: 'handling=strict' } };

const shapes = refusals.flatMap(([name, ask]) => [
  read(name, plain, [], async (kit) => {
    const { body } = await ask(kit);
    same(
      'keys of the envelope in it',
      ['data', 'meta', 'pagination'].filter((key) => key in (body ?? {})),
      [],
    );
  }),
  read(name, coded, [], async (kit) => {
    const { headers, body } = await ask(kit);
    const has = [headers.has('x-error-code'), headers.has('x-request-id'), headers.get('content-type')?.split(';')[0], typeof body];
    same('X-Error-Code, X-Request-Id, Content-Type and body', has, [true, true, 'application/json', 'object']);
  }),
  read(name, noCode, [], async (kit) => {
    const { status, body } = await ask(kit);
    same(`code in the body of a ${status}`, 'code' in body, false);
  }),
]);
