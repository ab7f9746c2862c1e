/** The checker finds each kind of damage in an otherwise valid history, and nothing in a valid one. */
import { describe, expect, test } from '@jest/globals';
import { check } from './check.ts';
import type { Arrival, AtRest, Attempt, Carried, Change, Emitted, History, ReceiverHistory, RegisterHistory, Write } from './history.ts';
import type { TillRequest } from './till-request.ts';

const write = (id: string, mark: string, fromMs: number, rest: Partial<Write> = {}): Write => ({
  id,
  what: 'PATCH /products/1',
  marks: [mark],
  refusable: false,
  invokedMs: fromMs,
  endedMs: fromMs + 5,
  result: 'ok',
  status: 200,
  ...rest,
});
const change = (n: number, mark: string): Change => ({
  n,
  topic: 'catalog.events',
  xid: `x${n}`,
  record: '1',
  resource: '1',
  marks: [mark],
  name: mark,
  audit: 'Product:1',
});
const emitted = (n: number, rest: Partial<Emitted> = {}): Emitted => ({
  eventId: `e${n}`,
  topic: 'catalog.events',
  xid: `x${n}`,
  record: '1',
  resource: '1',
  hash: `h${n}`,
  ...rest,
});
const carried = (n: number, offset: number, rest: Partial<Carried> = {}): Carried => ({
  eventId: `e${n}`,
  store: 1,
  topic: 'catalog.events',
  partition: 0,
  offset,
  record: '1',
  name: 'product.updated',
  hash: `h${n}`,
  ...rest,
});
const arrival = (n: number, attempt = 1, rest: Partial<Arrival> = {}): Arrival => ({
  eventId: `e${n}`,
  name: 'product.updated',
  attempt,
  hash: `h${n}`,
  verified: true,
  ...rest,
});
const attempt = (n: number, number = 1, outcome: string | null = 'response'): Attempt => ({ eventId: `e${n}`, number, outcome });
const receiver = (rest: Partial<ReceiverHistory> = {}): ReceiverHistory => ({
  name: 'steady',
  store: 1,
  accepts: 'always',
  events: ['product.updated'],
  arrivals: [arrival(1), arrival(2), arrival(3)],
  attempts: [attempt(1), attempt(2), attempt(3)],
  active: true,
  ...rest,
});

/** A sale that stands, paid with card and credit; one that was voided; a parked one; an order that arrived in two parts. */
function soundRegister(): RegisterHistory {
  const lines = [{ product: 1, quantity: 2000 }];
  const sale = {
    counted: true,
    voided: false,
    voidedAtMs: null,
    customer: 7,
    total: 500,
    card: 0,
    credit: 0,
    paid: 500,
    cash: 300,
    drawer: 9,
    refunder: null,
    lines,
  };
  const balance = { ledger: 'gift card' as const, holder: 3, sale: null };
  return {
    sales: [
      { ...sale, id: 1, receipt: 'R-1', card: 100, credit: 50 },
      { ...sale, id: 2, receipt: 'R-2', voided: true, voidedAtMs: 50_000, card: 200 },
      { ...sale, id: 3, receipt: 'R-3', counted: false },
    ],
    moved: [
      { reason: 'R-1', type: 'sale', product: 1, change: -2000 },
      { reason: 'R-2', type: 'sale', product: 1, change: -2000 },
      { reason: 'R-2', type: 'void', product: 1, change: 2000 },
      { reason: 'PO-1', type: 'receive', product: 1, change: 3000 },
      { reason: 'PO-1', type: 'receive', product: 1, change: 3000 },
    ],
    balances: [
      { ...balance, id: 1, amount: 1000, before: 0, after: 1000 },
      { ...balance, id: 2, amount: -100, before: 1000, after: 900, sale: 1 },
      { ...balance, id: 3, amount: -200, before: 900, after: 700, sale: 2 },
      { ...balance, id: 4, amount: 200, before: 700, after: 900, sale: 2 },
      { ...balance, ledger: 'store credit', holder: 7, id: 1, amount: 80, before: 0, after: 80 },
      { ...balance, ledger: 'store credit', holder: 7, id: 2, amount: -50, before: 80, after: 30, sale: 1 },
      { ...balance, ledger: 'points', holder: 7, id: 1, amount: 5, before: 0, after: 5, sale: 1 },
    ],
    holders: [
      { ledger: 'gift card', id: 3, balance: 900 },
      { ledger: 'store credit', id: 7, balance: 30 },
      { ledger: 'points', id: 7, balance: 5 },
      { ledger: 'points', id: 8, balance: 0 },
    ],
    customers: [{ id: 7, spend: 500, visits: 1 }],
    orders: [{ number: 'PO-1', product: 1, received: 6000 }],
  };
}

const tillRequest = (
  kind: TillRequest['kind'],
  receipt: string | null,
  invokedMs: number,
  rest: Partial<TillRequest> = {},
): TillRequest => ({
  id: `d${invokedMs}`,
  kind,
  receipt,
  card: 3,
  cardAmount: 0,
  customer: 7,
  credit: 0,
  invokedMs,
  endedMs: invokedMs + 5,
  result: 'ok',
  status: 200,
  says: '',
  ...rest,
});
const refused = (
  kind: TillRequest['kind'],
  receipt: string | null,
  invokedMs: number,
  says: string,
  rest: Partial<TillRequest>,
): TillRequest => tillRequest(kind, receipt, invokedMs, { result: 'fail', status: 422, says, ...rest });

/** What tills were told of that register; a refusal that was true when it began, and one that was when it ended. */
const soundRequests = (): TillRequest[] => [
  tillRequest('sell', 'R-1', 0, { cardAmount: 100, credit: 50 }),
  tillRequest('sell', 'R-2', 10, { cardAmount: 200 }),
  refused('redeem', null, 18, 'Gift card has only 7.00 available', { cardAmount: 800, endedMs: 40 }),
  tillRequest('void', 'R-2', 20),
  tillRequest('void', 'R-2', 22, { result: 'info', status: 0 }),
  tillRequest('park', 'R-3', 30),
  refused('complete', 'R-3', 50, 'Gift card ending in 12 has only 9.00 available', { cardAmount: 901 }),
  refused('sell', 'R-4', 60, 'Store credit is not enough', { card: null, credit: 31 }),
  tillRequest('redeem', null, 70, { cardAmount: 1, customer: null, result: 'info', status: 500 }),
];

/** The same at rest; the log of events is what Kafka carried. */
function soundRest(carried: Carried[]): AtRest {
  const eventIds = [...new Set(carried.map(({ eventId }) => eventId))];
  return {
    tenders: [{ sale: 1, amount: 50 }],
    drawers: [
      { id: 9, float: 1_000, expected: 1_300, closedAtMs: null },
      { id: 10, float: 1_000, expected: 1_000, closedAtMs: 60_000 },
    ],
    costs: [
      {
        product: 1,
        average: 167,
        cost: 200,
        lines: [
          { id: 1, quantity: 1_000, unit: 100, receivedAt: '2026-11-21T09:30:00Z' },
          { id: 2, quantity: 2_000, unit: 200, receivedAt: '2026-11-21T09:31:00Z' },
          { id: 3, quantity: 0, unit: 900, receivedAt: '' },
        ],
      },
    ],
    copies: [],
    log: eventIds.map((eventId, n) => ({ store: 1, sequence: n + 4, eventId })),
    polled: { store: 1, eventIds: eventIds.slice(0, 2), latest: 5 },
    records: [{ record: 'products/1', inEvent: '{"name":"c"}', shows: '{"name":"c"}' }],
  };
}

/** Three changes of one product, one of them with an unknown outcome for its client, and a refused one. */
function sound(): History {
  return {
    writes: [
      write('w1', 'a', 0),
      write('w2', 'b', 10),
      write('w3', 'c', 20, { result: 'info', status: 0 }),
      write('w4', 'never', 30, { result: 'info', status: 500 }),
      write('w5', 'refused', 40, { result: 'fail', status: 422, refusable: true }),
      write('w6', 'limited', 45, { result: 'fail', status: 429 }),
      write('w7', 'late', 46, { result: 'fail', status: 408 }),
    ],
    changes: [change(1, 'a'), change(2, 'b'), change(3, 'c')],
    products: [{ record: '1', name: 'c' }],
    emitted: [emitted(1), emitted(2), emitted(3)],
    // The second one appears twice, as after a relay that died between acknowledgement and delete.
    carried: [carried(1, 0), carried(2, 1), carried(2, 2), carried(3, 3)],
    ledger: [
      { id: 1, product: 1, before: 0, change: 2000, after: 2000 },
      { id: 2, product: 1, before: 2000, change: -500, after: 1500 },
    ],
    stock: [{ product: 1, quantity: 1500, copy: 1500 }],
    audited: ['Product:1', 'Product:1', 'Product:1'],
    auditedRequests: ['w1-0', 'w2-1'],
    lives: [],
    receivers: [
      receiver(),
      // The first attempt was answered 500; the second reached the receiver, but its process died.
      receiver({
        name: 'flaky',
        accepts: 'at last',
        arrivals: [arrival(2), arrival(1), arrival(2, 2), arrival(2, 2), arrival(3)],
        attempts: [attempt(1), attempt(2), attempt(2, 2, 'lost'), attempt(2, 2), attempt(3, 1, 'lost')],
      }),
      receiver({ name: 'dead', accepts: 'never', active: false, arrivals: [], attempts: [attempt(1, 1, 'reset')] }),
      // The process was frozen during the first attempt: no receiver got it, and the next event did not wait for the second.
      receiver({
        name: 'overtaken',
        arrivals: [arrival(2), arrival(1, 2), arrival(3)],
        attempts: [attempt(1, 1, 'timeout'), attempt(2), attempt(1, 2), attempt(3)],
      }),
    ],
    tillRequests: soundRequests(),
    register: soundRegister(),
    rest: soundRest([carried(1, 0), carried(2, 1), carried(3, 3)]),
    unsettled: [],
  };
}

const rules = (history: History) => [...new Set(check(history).map(({ rule }) => rule))];

test('a valid history breaks no rule, also with uncertain writes, retries and losses', () => {
  expect(check(sound())).toEqual([]);
});

/** The list with one of its values changed. */
const changed = <T>(list: T[], index: number, changes: Partial<T>): T[] =>
  list.map((one, n) => (n === index ? { ...one, ...changes } : one));
const without = <T>(list: T[], index: number): T[] => list.filter((_, n) => n !== index);
/** The receivers with one of them changed. */
const at = ({ receivers }: History, index: number, changes: (one: ReceiverHistory) => Partial<ReceiverHistory>) => ({
  receivers: changed(receivers, index, changes(receivers[index]!)),
});

/** The register with parts of it changed. */
const inRegister = ({ register }: History, changes: Partial<RegisterHistory>) => ({ register: { ...register, ...changes } });

const inRest = ({ rest }: History, changes: Partial<AtRest>) => ({ rest: { ...rest, ...changes } });
const withRequest = (history: History, one: TillRequest) => ({ tillRequests: [...history.tillRequests, one] });

const damages: [rule: string, damage: (history: History) => Partial<History>][] = [
  ['write-lost', (h) => ({ writes: [...h.writes, write('w8', 'gone', 50)], auditedRequests: [...h.auditedRequests, 'w8-0'] })],
  ['refused-write-kept', (h) => ({ writes: changed(h.writes, 2, { result: 'fail', status: 408 }) })],
  ['refused-write-kept', (h) => ({ writes: changed(h.writes, 2, { result: 'fail', status: 422, refusable: true }) })],
  ['write-doubled', (h) => ({ changes: changed(h.changes, 1, { marks: ['b', 'a'] }) })],
  ['unexpected-refusal', (h) => ({ writes: [...h.writes, write('w6', 'x', 50, { result: 'fail', status: 401 })] })],
  ['real-time-order', (h) => ({ writes: changed(h.writes, 0, { invokedMs: 60, endedMs: 65 }) })],
  ['row-differs', (h) => ({ products: changed(h.products, 0, { name: 'b' }) })],
  ['row-differs', () => ({ products: [] })],
  ['event-missing', (h) => ({ emitted: changed(h.emitted, 1, { resource: null }) })],
  [
    'event-doubled',
    (h) => ({
      emitted: [...h.emitted, emitted(3, { eventId: 'e9' })],
      carried: [...h.carried, carried(9, 9, { hash: 'h3', name: 'product.created' })],
    }),
  ],
  ['event-phantom', (h) => ({ carried: [...h.carried, carried(7, 9, { name: 'product.created' })] })],
  ['event-phantom', (h) => ({ emitted: [...h.emitted, emitted(8)], carried: [...h.carried, carried(8, 9, { name: 'product.created' })] })],
  ['event-lost', (h) => ({ carried: without(h.carried, 3), receivers: [] })],
  ['event-bytes', (h) => ({ carried: changed(h.carried, 2, { hash: 'other' }) })],
  ['record-order', (h) => ({ carried: changed(h.carried, 0, { offset: 8 }), receivers: [] })],
  ['record-order', (h) => ({ carried: changed(h.carried, 3, { partition: 1 }) })],
  ['ledger-chain', (h) => ({ ledger: changed(h.ledger, 1, { before: 1500, after: 1000 }) })],
  ['ledger-chain', (h) => ({ ledger: changed(h.ledger, 0, { after: 2001 }) })],
  ['ledger-sum', (h) => ({ stock: changed(h.stock, 0, { quantity: 2000, copy: 2000 }) })],
  ['ledger-sum', () => ({ stock: [] })],
  ['stock-copy', (h) => ({ stock: changed(h.stock, 0, { copy: 2000 }) })],
  ['audit-missing', (h) => ({ audited: without(h.audited, 0) })],
  ['audit-missing', (h) => ({ auditedRequests: without(h.auditedRequests, 1) })],
  ['audit-phantom', (h) => ({ auditedRequests: [...h.auditedRequests, 'w6-0'] })],
  ['audit-phantom', (h) => ({ audited: [...h.audited, 'Product:1'] })],
  ['audit-phantom', (h) => ({ audited: [...h.audited, 'Product:2'] })],
  ['delivery-missing', (h) => at(h, 0, (r) => ({ arrivals: without(r.arrivals, 2), attempts: without(r.attempts, 2) }))],
  ['delivery-phantom', (h) => at(h, 0, (r) => ({ arrivals: [...r.arrivals, arrival(7)], attempts: [...r.attempts, attempt(7)] }))],
  ['delivery-bytes', (h) => at(h, 1, (r) => ({ arrivals: changed(r.arrivals, 2, { hash: 'other' }) }))],
  ['signature', (h) => at(h, 0, (r) => ({ arrivals: changed(r.arrivals, 1, { verified: false }) }))],
  ['delivery-order', (h) => at(h, 0, (r) => ({ arrivals: [...r.arrivals].reverse() }))],
  ['attempt-order', (h) => at(h, 1, (r) => ({ attempts: [r.attempts[4]!, ...r.attempts.slice(0, 4)] }))],
  ['delivery-order', (h) => at(h, 3, (r) => ({ arrivals: [...r.arrivals].reverse() }))],
  ['post-unlogged', (h) => at(h, 0, (r) => ({ arrivals: [...r.arrivals, arrival(2)] }))],
  ['post-invented', (h) => at(h, 0, (r) => ({ attempts: [...r.attempts, attempt(2, 2)] }))],
  ['attempt-open', (h) => at(h, 1, (r) => ({ attempts: changed(r.attempts, 2, { outcome: null }) }))],
  ['attempts-over', (h) => at(h, 1, (r) => ({ arrivals: [...r.arrivals, arrival(3, 6)], attempts: [...r.attempts, attempt(3, 6)] }))],
  ['not-disabled', (h) => at(h, 2, () => ({ active: true }))],
  ['disabled', (h) => at(h, 1, () => ({ active: false }))],
  ['sale-stock', (h) => inRegister(h, { moved: without(h.register.moved, 0) })],
  ['sale-stock', (h) => inRegister(h, { moved: [...h.register.moved, h.register.moved[2]!] })],
  ['sale-stock', (h) => inRegister(h, { moved: [...h.register.moved, { reason: 'R-3', type: 'sale', product: 1, change: -2000 }] })],
  ['customer-spend', (h) => inRegister(h, { customers: [{ id: 7, spend: 1000, visits: 1 }] })],
  ['customer-spend', (h) => inRegister(h, { customers: [{ id: 7, spend: 500, visits: 2 }] })],
  ['balance-chain', (h) => inRegister(h, { balances: changed(h.register.balances, 6, { before: 1, after: 5 }) })],
  ['balance-sum', (h) => inRegister(h, { holders: changed(h.register.holders, 3, { balance: 1 }) })],
  ['tender', (h) => inRegister(h, { sales: changed(h.register.sales, 0, { card: 0 }) })],
  [
    'tender',
    (h) => ({
      ...inRegister(h, { sales: changed(h.register.sales, 0, { credit: 100 }) }),
      ...inRest(h, { tenders: [{ sale: 1, amount: 100 }] }),
    }),
  ],
  ['receipt-stock', (h) => inRegister(h, { moved: without(h.register.moved, 3) })],
  ['one-order', (h) => withRequest(h, refused('redeem', null, 80, 'Gift card has only 7.00 available', { cardAmount: 800 }))],
  ['one-order', (h) => withRequest(h, refused('redeem', null, 80, 'Gift card has only 9.00 available', { cardAmount: 900 }))],
  ['one-order', (h) => withRequest(h, refused('sell', 'R-5', 80, 'Store credit is not enough', { card: null, credit: 30 }))],
  ['one-order', (h) => withRequest(h, tillRequest('redeem', null, 80, { cardAmount: 5_000, customer: null }))],
  ['one-order', (h) => withRequest(h, tillRequest('redeem', null, 80, { cardAmount: 100, customer: null }))],
  ['one-order', (h) => withRequest(h, tillRequest('redeem', null, 80, { cardAmount: 1, left: 800, customer: null, result: 'ok' }))],
  ['one-order', (h) => withRequest(h, tillRequest('complete', 'R-2', 80, { cardAmount: 200 }))],
  ['one-order', (h) => withRequest(h, refused('redeem', 'R-1', 80, 'Sale id is voided', { cardAmount: 1 }))],
  ['one-order', (h) => ({ tillRequests: changed(h.tillRequests, 0, { result: 'fail', status: 422, says: 'Customer must exist' }) })],
  ['payments', (h) => inRegister(h, { sales: changed(h.register.sales, 0, { paid: 499 }) })],
  ['tender-standing', (h) => inRest(h, { tenders: [...h.rest.tenders, { sale: 2, amount: 10 }] })],
  ['tender-standing', (h) => inRest(h, { tenders: [] })],
  ['drawer', (h) => inRest(h, { drawers: changed(h.rest.drawers, 0, { expected: 1_600 }) })],
  ['drawer', (h) => inRest(h, { drawers: changed(h.rest.drawers, 0, { closedAtMs: 10_000 }) })],
  ['drawer', (h) => inRegister(h, { sales: changed(h.register.sales, 1, { refunder: 10 }) })],
  [
    'points',
    (h) => {
      const row = { ...h.register.balances[6]!, id: 2, amount: 5, before: 5, after: 10 };
      const holders = changed(h.register.holders, 2, { balance: 10 });
      return inRegister(h, { balances: [...h.register.balances, row], holders });
    },
  ],
  ['average-cost', (h) => inRest(h, { costs: changed(h.rest.costs, 0, { average: 166 }) })],
  ['cost', (h) => inRest(h, { costs: changed(h.rest.costs, 0, { cost: 100 }) })],
  ['copy', (h) => inRest(h, { copies: ['customers in sales, only in the copy: (1,7,Ada)'] })],
  ['log-gap', (h) => inRest(h, { log: changed(h.rest.log!, 2, { sequence: 7 }) })],
  ['log-differs', (h) => inRest(h, { log: without(h.rest.log!, 2) })],
  ['log-late', (h) => inRest(h, { polled: { ...h.rest.polled, latest: 6 } })],
  ['log-order', (h) => inRest(h, { polled: { ...h.rest.polled, eventIds: ['e2', 'e1'] } })],
  ['event-shows', (h) => inRest(h, { records: changed(h.rest.records, 0, { shows: '{"name":"b"}' }) })],
  ['not-settled', () => ({ unsettled: ['catalog.outbox holds 3 rows'] })],
];

describe('each kind of damage to that history is found, and nothing else', () => {
  test.each(damages)('%s', (rule, damage) => {
    const history = sound();
    const damaged = { ...history, ...damage(history) };
    const rest = damaged.rest === history.rest ? soundRest(damaged.carried) : damaged.rest;
    expect(rules({ ...damaged, rest })).toEqual([rule]);
  });
});
