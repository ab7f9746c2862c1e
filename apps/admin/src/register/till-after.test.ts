import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanFrom } from './scan.ts';
import { type Asked, emptyTill, type Sale, type Till, type TillEvent, type Work } from './till.ts';
import { refusalOf, tillAfter } from './till-after.ts';

const product = (id: number) => ({ id, name: `P${id}`, effective_price: '1.00', unit_type: 'unit' });
/** What products a code has: none, one, or two. */
const productsOf = (code: number) =>
  [[product(code)], [product(code)], [product(code)], [], [product(code), product(code + 100)]][code % 5]!;

interface Stored {
  status: 'pending' | 'completed' | 'voided';
  quantity: number;
}

/** A store that keeps one sale for each key, a till, and the goods that the clerk took away himself. */
class Counter {
  till: Till = emptyTill;
  readonly sales: Stored[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #answers: TillEvent[] = [];
  scanned = 0;
  removed = 0;
  #ids = 0;

  id = () => String(++this.#ids);

  tell(event: TillEvent): void {
    const before = quantityIn(this.till);
    const gone = this.till.unknown.length + this.till.late.length;
    const { work } = this.till;
    this.till = tillAfter(this.till, event);
    if (event.kind === 'clear') this.removed += before - quantityIn(this.till) + gone - this.till.unknown.length - this.till.late.length;
    if (event.kind === 'discard' && before !== quantityIn(this.till)) this.removed += before - quantityIn(this.till);
    // What no product has was seen, or is on the floor when the sale ends.
    if (event.kind === 'stored' && work?.kind === 'send' && work.sending.kind !== 'discard')
      this.removed += Math.max(0, gone - this.till.unknown.length - this.till.late.length);
  }

  scan(code: number): void {
    this.scanned++;
    this.tell({ kind: 'scan', scan: { ...scanFrom(String(code))!, id: this.id() } });
  }

  /** The store acts on what is under way; its answer waits to arrive, late, twice or never. */
  act(): void {
    const { work, scans } = this.till;
    const [scan] = scans;
    if (scan) this.#answers.push({ kind: 'found', id: scan.id, products: productsOf(Number(scan.code)) });
    if (work && (scans.length === 0 || work.kind === 'discard'))
      this.#answers.push(...this.#answerTo(work).map((one) => ({ ...one, id: work.id }) as TillEvent));
  }

  #answerTo(work: Work): object[] {
    if (work.kind === 'pay') return [{ kind: 'priced', sale: { total: '1.00' } }];
    if (work.kind === 'take') {
      const sale = this.sales[work.saleId - 1]!;
      if (sale.status !== 'pending') return [{ kind: 'refused', message: 'ended' }];
      const line = {
        product_id: 1,
        product_name: 'P1',
        quantity: sale.quantity,
        unit_price: '1.00',
        discount_amount: '0.00',
        modifiers: [],
        kitchen_item: false,
      };
      return [{ kind: 'taken', sale: { id: work.saleId, receipt_number: '', discount_amount: '0.00', line_items: [line] }, weighed: [] }];
    }
    if (work.kind === 'discard')
      return [this.sales[work.saleId - 1]!.status === 'pending' ? { kind: 'discardable' } : { kind: 'refused', message: 'ended' }];
    if (work.kind !== 'send' || work.sending.isStopped) return [];
    const { sale, saleId } = work.sending;
    const known = this.#byKey.get(work.id);
    const at = known ?? saleId ?? this.sales.length + 1;
    this.#byKey.set(work.id, at);
    if (known === undefined) {
      const before = this.sales[at - 1];
      const quantity = sale!.line_items ? sale!.line_items.reduce((sum, line) => sum + line.quantity, 0) : before!.quantity;
      // A parked sale is paid or voided once.
      expect(before === undefined || before.status === 'pending').toBe(true);
      this.sales[at - 1] = { status: sale!.status as Stored['status'], quantity };
      if (sale!.status === 'voided') this.removed += quantity;
    }
    return [{ kind: 'stored', saleId: at, receipt: `R-${at}`, total: '1.00' }];
  }

  /** An answer arrives, whichever it is, and may arrive again. */
  arrive(n: number, again: boolean): void {
    if (this.#answers.length === 0) return;
    const at = n % this.#answers.length;
    const [answer] = again ? [this.#answers[at]!] : this.#answers.splice(at, 1);
    this.tell(answer!);
  }

  /** Goods that are somewhere: in the cart, waiting, told, parked or sold. What the cart of a parked sale has is counted there. */
  accounted(): number {
    const { parked } = this.till.cart;
    const sales = this.sales.reduce((sum, { status, quantity }, index) => {
      const isHere = parked?.id === index + 1 && status === 'pending';
      return status === 'voided' || isHere ? sum : sum + quantity;
    }, 0);
    return sales;
  }
}

function quantityIn({ cart, scans, held, choices }: Till): number {
  return cart.lines.reduce((sum, { quantity }) => sum + quantity, 0) + scans.length + held.length + choices.length;
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('scan' as const), n: fc.nat(20) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('act' as const), n: fc.nat(20) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('arrive' as const, 'again' as const), n: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('pay' as const, 'paid' as const, 'park' as const, 'resume' as const, 'stop' as const),
      n: fc.nat(20),
    }),
  },
);

describe('the till', () => {
  test('loses no goods, sells none twice, whatever is pressed and however answers come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const one = new Counter();
        for (const { do: what, n } of steps) {
          if (what === 'scan') one.scan(n);
          else if (what === 'act') one.act();
          else if (what === 'arrive' || what === 'again') one.arrive(n, what === 'again');
          else if (what === 'paid') one.tell({ kind: 'paid', payments: [], change: '0.00' });
          else if (what === 'stop') one.tell({ kind: 'stop' });
          else if (what === 'resume')
            one.sales.length > 0 && one.tell({ kind: 'resume', id: one.id(), saleId: 1 + (n % one.sales.length) });
          else one.tell({ kind: what, id: one.id() });
        }
        // Everything under way comes to its end.
        for (
          let turn = 0;
          turn < 200 && (one.till.scans.length > 0 || (one.till.work && one.till.work.kind !== 'pay') || one.till.held.length > 0);
          turn++
        ) {
          one.act();
          one.arrive(turn, false);
          one.tell({ kind: 'stop' });
        }
        const reported = one.till.unknown.length + one.till.late.length;
        expect(one.accounted() + quantityIn(one.till) + reported + one.removed).toBe(one.scanned);
      }),
      { numRuns: 1_000 },
    );
  });

  const lamp: TillEvent[] = [
    { kind: 'scan', scan: { id: 's', code: '1', quantity: 1 } },
    { kind: 'found', id: 's', products: [product(1)] },
  ];
  const after = (...events: TillEvent[]) => events.reduce(tillAfter, emptyTill);

  test('does one thing at a time, and says why it does no other', () => {
    const paying = after(
      ...lamp,
      { kind: 'pay', id: 'p' },
      { kind: 'priced', id: 'p', sale: {} as Sale },
      { kind: 'paid', payments: [], change: '0.00' },
    );
    expect(paying.work).toMatchObject({ kind: 'send', id: 'p', sending: { kind: 'pay' } });
    const others: Asked[] = [
      { kind: 'park', id: 'x' },
      { kind: 'clear', id: 'x' },
      { kind: 'discard', id: 'x', saleId: 9 },
      { kind: 'resume', id: 'x', saleId: 9 },
      { kind: 'redeem', id: 'x', reward: {} as never },
      { kind: 'change', action: { kind: 'remove', key: 1 } },
    ];
    for (const event of others)
      expect([event.kind, refusalOf(paying, event), tillAfter(paying, event) === paying]).toEqual([
        event.kind,
        'Wait until the sale is stored',
        true,
      ]);
    // Nor does the answer to another thing end it.
    for (const id of ['x', 'q']) expect(tillAfter(paying, { kind: 'stored', id, saleId: 9, receipt: 'R-9', total: '1.00' })).toBe(paying);
  });

  test('asks which product a code means before the sale goes', () => {
    const till = after(
      { kind: 'scan', scan: { id: 's', code: '4', quantity: 1 } },
      { kind: 'pay', id: 'p' },
      { kind: 'found', id: 's', products: [product(4), product(104)] },
    );
    expect([till.work, refusalOf(till, { kind: 'pay', id: 'p' })]).toEqual([undefined, expect.any(String)]);
  });

  test('adds scans made while a parked sale was read to it, and restores a cleared scan', () => {
    const line = {
      product_id: 7,
      product_name: 'P7',
      quantity: 2,
      unit_price: '1.00',
      discount_amount: '0.00',
      modifiers: [],
      kitchen_item: false,
    };
    const sale = { id: 5, receipt_number: 'R-5', discount_amount: '0.00', line_items: [line] } as unknown as Sale;
    const taken = after(
      { kind: 'resume', id: 'r', saleId: 5 },
      ...lamp.slice(0, 1),
      { kind: 'taken', id: 'r', sale, weighed: [] },
      ...lamp.slice(1),
    );
    expect(taken.cart.lines.map(({ productId }) => productId)).toEqual([7, 1]);
    const waiting = after(...lamp.slice(0, 1));
    const cleared = tillAfter(waiting, { kind: 'clear', id: 'c' });
    expect([cleared.scans, tillAfter(cleared, { kind: 'restore', before: waiting }).scans]).toEqual([[], waiting.scans]);
    expect(tillAfter(cleared, lamp[1]!)).toBe(cleared);
  });
});

test('how many of a code are wanted stands before it', () => {
  expect([scanFrom('5000000000017'), scanFrom(' 3*LAN-1 '), scanFrom('12*'), scanFrom(' '), scanFrom('0*7')]).toEqual([
    { code: '5000000000017', quantity: 1 },
    { code: 'LAN-1', quantity: 3 },
    { code: '12*', quantity: 1 },
    undefined,
    { code: '0*7', quantity: 1 },
  ]);
});
