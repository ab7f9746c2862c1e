/** Errors: missing records, unknown parameters, bodies that are refused at once, and the shape of each refusal. */
import type { Contract, Operation } from '../contract.ts';
import { type Rule, same } from '../rule.ts';
import { sampleOf, scopesOfSample } from '../samples.ts';
import type { Answer, Request, Site } from '../site.ts';

const noRoute = 'A path or verb that does not exist is 404 "Not found", never 405.';
const shapeRule = 'Every error has X-Error-Code, X-Request-Id and a JSON body, which is not wrapped and has no code.';
const allowRule = 'OPTIONS is 204 with Allow, without a key and without CORS headers.';
const refusedRule = 'With Prefer: handling=strict a parameter that the endpoint does not take is a 422 that names it.';
const ignoredRule = 'Without it a parameter that the endpoint does not take is ignored.';
const malformed = 'Malformed JSON is 400 "Malformed JSON".';
const noObject = 'A body that is no object is 400 "Request body must be a JSON object".';
const otherType = 'Another content type is 400 "Content-Type must be application/json".';
const badDryRun = 'dry_run is true or left out: another value is a 400.';
const noDryRun = 'dry_run on an endpoint that cannot be tried is 400 "dry_run is not available for this endpoint".';
const badKey = 'An Idempotency-Key that is not 1 to 255 printable ASCII characters without spaces is a 400.';
const badKeyText = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces';

const strict: Request = { headers: { Prefer: 'handling=strict' } };
const rule = (area: string, subject: string, sentence: string, run: Rule['run'], scopes: string[] = []): Rule => ({
  ...{ area, subject, sentence, run, scopes },
});

export function errorRules({ operations }: Contract): Rule[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  const reads = operations.filter(({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0);
  const writes = operations.filter(({ method }) => method !== 'GET');
  return [
    ...nowhere.map(([method, path]) => rule('errors', `${method} ${path}`, noRoute, (site) => notFound(site, method, path))),
    ...Object.entries(refusals).map(([name, ask]) => rule('errors', name, shapeRule, async (site) => shapely(await ask(site)))),
    ...paths.map((path) =>
      rule('errors', `OPTIONS ${path}`, allowRule, async (site) => {
        const { status, headers } = await site.send('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'), { key: null });
        const allowed = headers.get('allow')?.split(/,\s*/) ?? [];
        const missing = operations.filter((one) => one.path === path && !allowed.includes(one.method)).map(({ method }) => method);
        const cors = [...headers.keys()].filter((name) => name.startsWith('access-control'));
        same('status, what Allow lacks, and CORS headers', [status, missing, cors], [204, [], []]);
      }),
    ),
    ...reads.flatMap(strictly),
    ...writes.flatMap(refusedBodies),
  ];
}

/** Paths that do not exist; a Test Mode key may only read them. */
const nowhere: [method: string, path: string][] = [
  ...['/', '/nothing', '/products/', '/products/1/more', '/Products', '/gift_cards', '/stock_adjustments/1', '/storefront'].map(
    (path): [string, string] => ['GET', path],
  ),
  ['DELETE', '/stock_adjustments/0'],
  ['PUT', '/products/0'],
  ['PUT', '/stock_adjustments'],
  ['PATCH', '/products'],
];

async function notFound(site: Site, method: string, path: string): Promise<void> {
  const { status, text } = await site.send(method, path, method === 'PUT' || method === 'PATCH' ? { body: {} } : {});
  if (site.own.test_mode && method !== 'GET') same('the status', status, 403);
  else same('the answer', [status, text], [404, '{"error":"Not found"}']);
}

const refusals: Record<string, (site: Site) => Promise<Answer>> = {
  401: (site) => site.send('GET', '/products', { key: null }),
  403: (site) => site.send('POST', '/sales', { body: {} }),
  404: (site) => site.send('GET', '/products/9007199254740991'),
  '404 of a path': (site) => site.send('GET', '/nothing'),
  422: (site) => site.send('GET', '/key?x=1', strict),
};

function shapely({ headers, body }: Answer): void {
  const has = [headers.has('x-error-code'), headers.has('x-request-id'), headers.get('content-type')?.split(';')[0], typeof body?.error];
  same('X-Error-Code, X-Request-Id, Content-Type and error', has, [true, true, 'application/json', 'string']);
  const unwanted = ['data', 'meta', 'pagination', 'code'].filter((key) => key in body);
  same('keys that do not belong there', unwanted, []);
}

function strictly(operation: Operation): Rule[] {
  const subject = `GET ${operation.path}?conform_x=1`;
  const send = async (site: Site, request: Request) => {
    const sample = await sampleOf(site, operation);
    return site.send('GET', `${sample}${sample.includes('?') ? '&' : '?'}conform_x=1`, request);
  };
  const refused = async (site: Site) => {
    const { status, body, headers } = await send(site, strict);
    const text = 'Validation failed: "conform_x" is not a parameter of this request';
    same('answer and Preference-Applied', [status, body?.error, headers.get('preference-applied')], [422, text, 'handling=strict']);
  };
  const ignored = async (site: Site) => {
    const { status, headers } = await send(site, {});
    same('status and Preference-Applied', [status, headers.get('preference-applied')], [200, null]);
  };
  const scopes = scopesOfSample(operation);
  return [rule('strict', subject, refusedRule, refused, scopes), rule('strict', subject, ignoredRule, ignored, scopes)];
}

function refusedBodies({ method, path, scope, takesBody, takesDryRun, takesIdempotencyKey }: Operation): Rule[] {
  // It names no record, so that a broken installation stores nothing either.
  const empty: Request = method === 'DELETE' ? {} : { body: {} };
  const refused = (query: string, sentence: string, text: string, request: Request): Rule => {
    const at = path.replace(/\{\w+\}/, '0') + query;
    const run = async (site: Site) => {
      const { status, body } = await site.send(method, at, request);
      same('the answer', [status, body?.error], [400, text]);
    };
    return { ...rule('bodies', `${method} ${at}`, sentence, run, [scope]), needs: 'write' };
  };
  return [
    ...(takesBody
      ? [
          refused('', malformed, 'Malformed JSON', { raw: '{"a":' }),
          refused('', noObject, 'Request body must be a JSON object', { raw: '[]' }),
          refused('', otherType, 'Content-Type must be application/json', { raw: '{}', headers: { 'Content-Type': 'text/plain' } }),
        ]
      : []),
    takesDryRun
      ? refused('?dry_run=yes', badDryRun, 'dry_run must be true or left out', empty)
      : refused('?dry_run=true', noDryRun, 'dry_run is not available for this endpoint', empty),
    ...(takesIdempotencyKey && takesDryRun
      ? [refused('', badKey, badKeyText, { ...empty, headers: { 'Idempotency-Key': 'has space' } })]
      : []),
  ];
}
