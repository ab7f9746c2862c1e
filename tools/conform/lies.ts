/** Ways to break a rule, each with the beginning of the sentence that it breaks; for tests. */
import type { Lie, Passed, Passing } from './lying-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a lie writes what no type allows.
type Body = any;

/** The JSON of an answer, changed. */
const body = (change: (body: Body) => Body): Lie['answer'] => {
  return (answer) => (answer.text.startsWith('{') ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text))) } : answer);
};

/** Each row of a list, or the one record. */
const rows = (change: (row: Body) => Body): Lie['answer'] =>
  body((whole) => ({ ...whole, data: Array.isArray(whole.data) ? whole.data.map(change) : change(whole.data) }));

/** Only successes below that path. */
const on = (start: string, lie: Lie['answer']): Lie => ({
  answer: (answer, request) => (request.url.startsWith(`/api/v1${start}`) && answer.status < 300 ? lie!(answer, request) : answer),
});

const status = (is: number, said: number): Lie => ({ answer: (answer) => (answer.status === is ? { ...answer, status: said } : answer) });

const header = (name: string, value: string, tells: (answer: Passed, request: Passing) => boolean = () => true): Lie => ({
  answer: (answer, request) => {
    if (tells(answer, request)) answer.headers.set(name, value);
    return answer;
  },
});

const without = (name: string): Lie => ({
  answer: (answer) => {
    answer.headers.delete(name);
    return answer;
  },
});

/** A header of the request is ignored. */
const deafTo = (name: string): Lie => ({
  ask: ({ headers: { [name]: _unheard, ...headers }, ...request }) => ({ ...request, headers }),
});

const url = (is: string | RegExp, heard: string): Lie => ({ ask: (request) => ({ ...request, url: request.url.replace(is, heard) }) });

/** Every request is let in with that key. */
const letIn = (key: string, knows: (request: Passing) => boolean): Lie => ({
  ask: (request) => (knows(request) ? { ...request, headers: { ...request.headers, 'x-api-key': key } } : request),
});

const isNobodys = ({ url: path, headers }: Passing) =>
  headers['x-api-key'] === undefined && headers.authorization === undefined && !path.endsWith('/staff_sessions');

export const lies: [sentence: string, lie: (key: string) => Lie][] = [
  ['A request without a key is treated', (key) => letIn(key, isNobodys)],
  ['Revocation is immediate', (key) => letIn(key, ({ headers }) => headers['x-api-key'] !== undefined)],
  ['A missing scope is 403', () => status(403, 404)],
  ['Resources that have only a read scope refuse', () => status(403, 405)],
  ['A Test Mode key may make only GET and HEAD', () => ({ answer: body((whole) => ({ ...whole, error: whole.error && 'Read-only' })) })],
  [
    'Without costs:read the keys cost',
    () =>
      on(
        '/products',
        rows((product) => ({ ...product, cost: null })),
      ),
  ],
  [
    'Every successful answer to a key is wrapped',
    () =>
      on(
        '/brands',
        body(({ data }) => ({ brands: data })),
      ),
  ],
  ['meta has request_id', () => header('x-request-id', 'another-one')],
  [
    'The answer has the fields, types and presence',
    () =>
      on(
        '/products',
        rows((product) => ({ ...product, current_stock: '4' })),
      ),
  ],
  ['HEAD is GET without the body', () => header('content-length', '7', (_answer, { method }) => method === 'HEAD')],
  ['Rate-limit headers are sent on 429 only', () => header('x-ratelimit-remaining', '59')],
  [
    'Timestamps are ISO 8601',
    () =>
      on(
        '/products',
        rows((product) => ({ ...product, created_at: '2026-11-21 09:30' })),
      ),
  ],
  ['An unknown id is 404', () => ({ answer: body((whole) => ({ ...whole, error: whole.error && 'Record not found' })) })],
  ['A path or verb that does not exist is 404', () => status(404, 405)],
  ['Every error has X-Error-Code', () => without('x-error-code')],
  ['per_page is at most 100', () => url('per_page=101', 'per_page=99')],
  ['With Prefer: handling=strict a parameter', () => deafTo('prefer')],
  [
    'Lists active products sorted by name',
    () =>
      on(
        '/products',
        body((whole) => ({ ...whole, data: [...whole.data].reverse() })),
      ),
  ],
  [
    'Fields of a product that have no value',
    () =>
      on(
        '/products',
        rows((product) => ({ brand: null, ...product })),
      ),
  ],
  ['q matches the phone without', () => url('q=44', 'q=99')],
  [
    'quantity_before plus quantity_change',
    () =>
      on(
        '/stock_adjustments',
        rows((row) => ({ ...row, quantity_after: 7 })),
      ),
  ],
  [
    'If one of the dates is missing',
    () =>
      on(
        '/sales?start_date',
        body((list) => ({ ...list, pagination: { ...list.pagination, total_count: 9 } })),
      ),
  ],
  [
    'has_variance is true',
    () =>
      on(
        '/purchase_orders',
        rows((order) => ({ ...order, has_variance: !order.has_variance })),
      ),
  ],
  [
    'A subscription is 201 with its secret',
    () =>
      on(
        '/webhook_subscriptions',
        rows(({ secret: _kept, ...subscription }) => subscription),
      ),
  ],
  [
    'current_stock is not writable',
    () =>
      on(
        '/products',
        rows((product) => ({ ...product, current_stock: 9 })),
      ),
  ],
  ['The same key with the same request answers', () => deafTo('idempotency-key')],
  ['With dry_run=true the answer is', () => url('?dry_run=true', '')],
  [
    'product.created is in the log once',
    () =>
      on(
        '/events',
        rows((log) => ({ ...log, events: log.events.map((event: Body) => ({ ...event, data: { ...event.data, cost: '0.50' } })) })),
      ),
  ],
  ['A 429 has X-RateLimit-Limit', () => without('retry-after')],
];
