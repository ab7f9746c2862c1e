/** The envelope, and the shape of every answer by the reference. */
import { areaOf, type Check } from '../check.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { Failure, holds, same } from '../outcome.ts';
import { sampleOf, scopesOfSample } from '../samples.ts';

const { read, staff } = areaOf('envelope');

const wrapped = 'Every successful answer to a key is wrapped: data, pagination on paginated endpoints only, meta, and nothing else.';
const dataRule =
  "data is the value of the endpoint's one top-level key, an array for lists and an object for one resource; of several keys it is the whole object.";
const metaRule = 'meta has request_id, which is also in X-Request-Id, and timestamp in ISO 8601.';
const shapeRule = 'The answer has the fields, types and presence that the reference gives.';
const headRule = 'HEAD is GET without the body: the same status and Content-Length.';
const jsonRule = 'Answers are application/json.';
const noRateHeaders = 'Rate-limit headers are sent on 429 only, and X-Error-Code on errors only.';
const timesRule = 'Timestamps are ISO 8601 in UTC with milliseconds.';

/** Operations called a list whose answer has several parts. */
const ofSeveralParts = ['/events', '/loyalty_rewards/available'];

export function envelopeChecks({ operations }: Contract): Check[] {
  const reads = operations.filter(({ method }) => method === 'GET');
  return [
    ...reads.flatMap((operation) => [
      of(operation, wrapped, async (kit, path) => {
        const names = operation.perPage === undefined ? ['data', 'meta'] : ['data', 'pagination', 'meta'];
        const { body } = await success(kit, path);
        same('the keys of the body', Object.keys(body ?? {}).sort(), [...names].sort());
      }),
      of(operation, dataRule, async (kit, path) => {
        const { data } = (await success(kit, path)).body;
        const isList = operation.id.startsWith('list') && !ofSeveralParts.includes(operation.path);
        same('the kind of data', kindOf(data), isList ? 'array' : 'object');
      }),
      of(operation, metaRule, async (kit, path) => {
        const { body, headers } = await success(kit, path);
        same('the keys of meta', Object.keys(body.meta ?? {}).sort(), ['request_id', 'timestamp']);
        same('meta.request_id', body.meta.request_id, headers.get('x-request-id'));
        holds(isTime(body.meta.timestamp), `meta.timestamp is ${body.meta.timestamp}`);
      }),
      of(operation, shapeRule, async (kit, path) => {
        const answer = await success(kit, path);
        const faults = kit.contract.faults(operation, answer.status, answer.body);
        if (faults.length > 0) throw new Failure(faults.slice(0, 5).join('; '));
      }),
      of(operation, timesRule, async (kit, path) => {
        const wrong = timesIn((await success(kit, path)).body).filter(([, text]) => !isTime(text));
        same('times that are not so', wrong.slice(0, 3), []);
      }),
      of(operation, noRateHeaders, async (kit, path) => {
        const { headers } = await success(kit, path);
        const unwanted = [...headers.keys()].filter((name) => /^(x-ratelimit-|retry-after$|x-error-code$)/.test(name));
        same('headers that do not belong there', unwanted, []);
      }),
      of(operation, jsonRule, async (kit, path) => {
        same('Content-Type', (await success(kit, path)).headers.get('content-type')?.split(';')[0], 'application/json');
      }),
    ]),
    ...reads.map((operation) =>
      read(`HEAD ${operation.path}`, headRule, scopesOfSample(operation), async (kit) => {
        const path = await sampleOf(kit, operation);
        const [got, head] = [await kit.send('GET', path), await kit.send('HEAD', path)];
        same('status and body', [head.status, head.text], [got.status, '']);
        // A streamed answer has no length, and the use of the key may be written between the two.
        const length = got.headers.get('content-length');
        if (length !== null && path !== '/key') same('Content-Length', head.headers.get('content-length'), length);
      }),
    ),
    ...requestIds,
    ...unwrapped,
  ];
}

function of(operation: Operation, sentence: string, look: (kit: Kit, path: string) => Promise<void>): Check {
  return read(`GET ${operation.path}`, sentence, scopesOfSample(operation), async (kit) => look(kit, await sampleOf(kit, operation)));
}

async function success(kit: Kit, path: string) {
  const answer = await kit.get(path);
  same('the status', answer.status, 200);
  return answer;
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

const isTime = (text: unknown) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);

/** Values of the fields whose name says that they are a time. */
function timesIn(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    /_(at|from|until)$/.test(name) && inner !== null ? [[name, inner]] : timesIn(inner),
  );
}

const requestIds = [
  ...['abcdefgh', 'A.b_c-1234', 'x'.repeat(128)].map((id) =>
    read(
      `X-Request-Id: ${id.slice(0, 16)}`,
      'An X-Request-Id of 8 to 128 letters, digits, dots, dashes and underscores is taken over.',
      [],
      async (kit) => {
        const { headers, body } = await kit.send('GET', '/key', { headers: { 'X-Request-Id': id } });
        same('header and meta', [headers.get('x-request-id'), body?.meta?.request_id], [id, id]);
      },
    ),
  ),
  ...['short', 'x'.repeat(129), 'has space1', 'semi;colon', '../../etc'].map((id) =>
    read(`X-Request-Id: ${id.slice(0, 16)}`, 'Another X-Request-Id is replaced by a new one.', [], async (kit) => {
      const { headers } = await kit.send('GET', '/key', { headers: { 'X-Request-Id': id } });
      holds(headers.has('x-request-id') && headers.get('x-request-id') !== id, `X-Request-Id is ${headers.get('x-request-id')}`);
    }),
  ),
  read('GET /key', 'Two requests never share a request id.', [], async (kit) => {
    const [one, two] = [await kit.send('GET', '/key'), await kit.send('GET', '/key')];
    holds(one.headers.get('x-request-id') !== two.headers.get('x-request-id'), 'two answers have one X-Request-Id');
  }),
];

const unwrapped = [
  ['/products', 'products'],
  ['/brands', 'brands'],
  ['/customers', 'customers'],
].map(([path, name]) =>
  staff(`GET ${path}`, "A staff session gets the endpoint's own response, without the envelope.", [], async (kit) => {
    const { status, body } = await kit.staff.send('GET', `${path}?per_page=1`);
    same('the status', status, 200);
    same('the keys of the body', Object.keys(body), name === 'brands' ? [name] : [name, 'pagination']);
  }),
);
