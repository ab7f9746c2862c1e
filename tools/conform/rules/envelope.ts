/** The envelope, and the shape of every answer by the reference. */
import type { Contract, Operation } from '../contract.ts';
import { type Rule, same } from '../rule.ts';
import { sampleOf, scopesOfSample } from '../samples.ts';
import type { Answer, Site } from '../site.ts';

const wrapped = 'Every successful answer to a key is wrapped: data, pagination on paginated endpoints only, meta, and nothing else.';
const dataRule =
  "data is the value of the endpoint's one top-level key, an array for lists and an object for one resource; of several keys it is the whole object.";
const metaRule = 'meta has request_id, which is also in X-Request-Id, and timestamp in ISO 8601.';
const shapeRule = 'The answer has the fields, types and presence that the reference gives.';
const headersRule = 'Answers are application/json; rate-limit headers are sent on 429 only, and X-Error-Code on errors only.';
const timesRule = 'Timestamps are ISO 8601 in UTC with milliseconds.';
const headRule = 'HEAD is GET without the body: the same status and Content-Length.';
const takenRule = 'An X-Request-Id of 8 to 128 letters, digits, dots, dashes and underscores is taken over.';
const replacedRule = 'Another X-Request-Id is replaced by a new one.';
const staffRule = "A staff session gets the endpoint's own response, without the envelope.";

/** Operations called a list whose answer has several parts. */
const ofSeveralParts = ['/events', '/loyalty_rewards/available'];

const looks: [sentence: string, look: (operation: Operation, answer: Answer, contract: Contract) => void][] = [
  [
    wrapped,
    ({ perPage }, { body }) => {
      const names = perPage === undefined ? ['data', 'meta'] : ['data', 'meta', 'pagination'];
      same('the keys of the body', Object.keys(body ?? {}).sort(), names);
    },
  ],
  [
    dataRule,
    ({ id, path }, { body: { data } }) => {
      const isList = id.startsWith('list') && !ofSeveralParts.includes(path);
      same('the kind of data', Array.isArray(data) ? 'array' : typeof data, isList ? 'array' : 'object');
    },
  ],
  [
    metaRule,
    (_operation, { body: { meta = {} }, headers }) => {
      const said = [Object.keys(meta).sort(), meta.request_id, isTime(meta.timestamp)];
      same('keys, request_id and whether the timestamp is one', said, [['request_id', 'timestamp'], headers.get('x-request-id'), true]);
    },
  ],
  [shapeRule, (operation, { status, body }, contract) => same('faults', contract.faults(operation, status, body).slice(0, 5), [])],
  [
    timesRule,
    (_operation, { body }) =>
      same(
        'times that are not so',
        timesIn(body)
          .filter((text) => !isTime(text))
          .slice(0, 3),
        [],
      ),
  ],
  [
    headersRule,
    (_operation, { headers }) => {
      same('Content-Type', headers.get('content-type')?.split(';')[0], 'application/json');
      const unwanted = [...headers.keys()].filter((name) => /^(x-ratelimit-|retry-after$|x-error-code$)/.test(name));
      same('headers that do not belong there', unwanted, []);
    },
  ],
];

const isTime = (text: unknown) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);

/** Values of the fields whose name says that they are a time. */
function timesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (/_(at|from|until)$/.test(name) && inner !== null ? [inner] : timesIn(inner)));
}

export function envelopeRules(contract: Contract): Rule[] {
  const area = 'envelope';
  const reads = contract.operations.filter(({ method }) => method === 'GET');
  return [
    ...reads.flatMap((operation): Rule[] => {
      const scopes = scopesOfSample(operation);
      const ofRead = looks.map(([sentence, look]): Rule => {
        const run = async (site: Site) => look(operation, await site.get(await sampleOf(site, operation)), contract);
        return { area, subject: `GET ${operation.path}`, sentence, scopes, run };
      });
      const head = async (site: Site) => {
        const path = await sampleOf(site, operation);
        const [got, { status, text, headers }] = [await site.send('GET', path), await site.send('HEAD', path)];
        same('status and body', [status, text], [got.status, '']);
        // A streamed answer has no length, and the use of the key may be written between the two.
        const length = got.headers.get('content-length');
        if (length !== null && path !== '/key') same('Content-Length', headers.get('content-length'), length);
      };
      return [...ofRead, { area, subject: `HEAD ${operation.path}`, sentence: headRule, scopes, run: head }];
    }),
    ...['abcdefgh', 'A.b_c-1234', 'x'.repeat(128)].map((id) => requestId(id, takenRule, true)),
    ...['short', 'x'.repeat(129), 'has space1', 'semi;colon', '../../etc'].map((id) => requestId(id, replacedRule, false)),
    ...['/products', '/customers'].map((path): Rule => {
      const run = async (site: Site) => {
        const { status, body } = await site.staff('GET', `${path}?per_page=1`);
        same('status and keys of the body', [status, Object.keys(body)], [200, [path.slice(1), 'pagination']]);
      };
      return { area, subject: `GET ${path}`, sentence: staffRule, needs: 'staff', run };
    }),
  ];
}

function requestId(id: string, sentence: string, isTaken: boolean): Rule {
  const run = async (site: Site) => {
    const { headers, body } = await site.send('GET', '/key', { headers: { 'X-Request-Id': id } });
    const answered = headers.get('x-request-id');
    same('whether it was taken over, and meta', [answered === id, body.meta.request_id], [isTaken, answered]);
  };
  return { area: 'envelope', subject: `X-Request-Id: ${id.slice(0, 16)}`, sentence, run };
}
