import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanFrom } from './scan.ts';
import { type Asked, emptyTill, type Reward, type Sale, type Till, type TillEvent, type Work } from './till.ts';
import { tillAfter } from './till-after.ts';
import { refusalOf } from './till-refusal.ts';

const product = (id: number) => ({ id, name: `P${id}`, effective_price: '1.00', unit_type: 'unit' });
/** What products a code has: none, one, or two. */
const productsOf = (code: number) =>
  [[product(code)], [product(code)], [product(code)], [], [product(code), product(code + 100)]][code % 5]!;

interface Stored {
  status: 'pending' | 'completed' | 'voided';
  version: number;
  goods: { product_id: number; quantity: number }[];
}

const quantityOf = (goods: Stored['goods']): number => goods.reduce((sum, { quantity }) => sum + quantity, 0);
const lineOf = { product_name: 'P', unit_price: '1.00', discount_amount: '0.00', modifiers: [], kitchen_item: false };
/** No code has it. */
const addedElsewhere = 900;

/** A store that keeps one sale for each key, a till, and the goods that the clerk took away himself. */
class Counter {
  till: Till = emptyTill;
  readonly sales: Stored[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #answers: TillEvent[] = [];
  readonly #elsewhere: { saleId: number; version: number }[] = [];
  scanned = 0;
  removed = 0;
  #ids = 0;

  id = () => String(++this.#ids);

  tell(event: TillEvent): void {
    const before = quantityIn(this.till);
    const unknown = this.till.unknown.length;
    const gone = unknown + this.till.late.length;
    const { work } = this.till;
    this.till = tillAfter(this.till, event);
    if (event.kind === 'clear') this.removed += before - quantityIn(this.till) + gone - this.till.unknown.length - this.till.late.length;
    if (event.kind === 'change') this.removed += before - quantityIn(this.till);
    if (event.kind === 'discard' && before !== quantityIn(this.till)) this.removed += before - quantityIn(this.till);
    // What no product has was seen, or is on the floor when the sale ends.
    if (event.kind === 'stored' && work?.kind === 'send' && work.sending.kind !== 'discard')
      this.removed += Math.max(0, unknown - this.till.unknown.length);
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
      if (this.sales[work.saleId - 1]!.status !== 'pending') return [{ kind: 'refused', message: 'ended' }];
      return [{ kind: 'taken', ...this.#read(work.saleId) }];
    }
    if (work.kind === 'discard')
      return [this.sales[work.saleId - 1]!.status === 'pending' ? { kind: 'discardable' } : { kind: 'refused', message: 'ended' }];
    if (work.kind !== 'send' || work.sending.isStopped) return [];
    const { sale, saleId, version } = work.sending;
    const known = this.#byKey.get(work.id);
    const at = known ?? saleId ?? this.sales.length + 1;
    if (known === undefined) {
      const before = this.sales[at - 1];
      if (before && version !== String(before.version))
        return [{ kind: 'refused', message: 'changed', resume: { kind: 'resume', ...this.#read(at) } }];
      this.#byKey.set(work.id, at);
      const goods = sale!.line_items!.map(({ product_id, quantity }) => ({ product_id: product_id!, quantity }));
      // A parked sale is paid or voided once.
      expect(before === undefined || before.status === 'pending').toBe(true);
      this.sales[at - 1] = { status: (sale!.status ?? before!.status) as Stored['status'], version: (before?.version ?? 0) + 1, goods };
    }
    return [{ kind: 'stored', saleId: at, receipt: `R-${at}`, total: '1.00' }];
  }

  #read(id: number) {
    const { version, goods } = this.sales[id - 1]!;
    const line_items = goods.map((line) => ({ ...lineOf, ...line }));
    const sale = { id, receipt_number: '', discount_amount: '0.00', line_items } as unknown as Sale;
    return { sale, version: String(version), weighed: [] };
  }

  /** Another till adds to a parked sale, or this one notes something on the sale that it continues. */
  change(n: number): void {
    const saleId = 1 + (n % (this.sales.length || 1));
    const { parked } = this.till.cart;
    const sale = this.sales[saleId - 1];
    if (sale?.status !== 'pending') return;
    const isNote = n % 2 === 0 && parked?.id === saleId && parked.version === String(sale.version);
    sale.version++;
    if (isNote) {
      this.tell({ kind: 'noted', saleId, version: String(sale.version) });
      expect(this.till.cart.parked!.version).toBe(String(sale.version));
      return;
    }
    this.scanned++;
    sale.goods = [...sale.goods, { product_id: addedElsewhere, quantity: 1 }];
    this.#elsewhere.push({ saleId, version: sale.version });
  }

  /** The clerk takes a line off, or changes its quantity. */
  correct(n: number): void {
    const { lines } = this.till.cart;
    const line = lines[Math.floor(n / 4) % (lines.length || 1)];
    if (!line) return;
    const quantity = n % 4;
    // A parked sale without lines is put back as it is by the next Resume.
    if (quantity === 0 && this.till.cart.parked && lines.length === 1) return;
    this.tell({
      kind: 'change',
      action: quantity === 0 ? { kind: 'remove', key: line.key } : { kind: 'quantity', key: line.key, quantity },
    });
  }

  /** The clerk asks no more for an answer, and believes that nothing is there only of a sale that is parked as before. */
  giveUp(): void {
    const { work } = this.till;
    if (work?.kind !== 'send') return;
    this.tell({ kind: 'unanswered', id: work.id });
    const { kind, saleId } = work.sending;
    this.tell({ kind: 'goOn', isThere: this.#byKey.has(work.id) && !(kind === 'park' && saleId !== undefined) });
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
    const sales = this.sales.reduce((sum, { status, goods }, index) => {
      const isHere = parked?.id === index + 1 && status === 'pending';
      return status === 'voided' || isHere ? sum : sum + quantityOf(goods);
    }, 0);
    const unseen = this.#elsewhere.filter(({ saleId, version }) => {
      const isPending = this.sales[saleId - 1]!.status === 'pending';
      return isPending && saleId === parked?.id && version > Number(parked.version);
    });
    return sales + unseen.length;
  }
}

function quantityIn({ cart, scans, held, choices }: Till): number {
  return cart.lines.reduce((sum, { quantity }) => sum + quantity, 0) + scans.length + held.length + choices.length;
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('scan' as const), n: fc.nat(20) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('act' as const), n: fc.nat(20) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('arrive' as const, 'again' as const), n: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('change' as const, 'giveUp' as const, 'correct' as const), n: fc.nat(80) }) },
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
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const one = new Counter();
        for (const { do: what, n } of steps) {
          if (what === 'scan') one.scan(n);
          else if (what === 'act') one.act();
          else if (what === 'arrive' || what === 'again') one.arrive(n, what === 'again');
          else if (what === 'paid') one.tell({ kind: 'paid', id: one.id(), payments: [], change: '0.00', tenders: [] });
          else if (what === 'change') one.change(n);
          else if (what === 'giveUp') one.giveUp();
          else if (what === 'correct') one.correct(n);
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
      { kind: 'paid', id: 'p', payments: [], change: '0.00', tenders: [] },
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

  test('names the code that several products have, also where a slow scanner typed it', () => {
    const scan = { id: 's', code: '17', whole: '4017', quantity: 1 };
    const till = after({ kind: 'scan', scan }, { kind: 'found', id: 's', code: '4017', products: [product(1), product(2)] });
    expect(till.choices).toMatchObject([{ code: '4017' }]);
  });

  test('sends a redemption again under its first key until the store has answered it', () => {
    const reward = { id: 4, name: 'Five off' } as Reward;
    const redeem = (id: string): TillEvent[] => [
      { kind: 'change', action: { kind: 'customer', customer: { id: 3, name: 'Ann' } } },
      { kind: 'redeem', id, reward },
      { kind: 'rewarded', id: 'a', actions: [{ kind: 'reward', amount: '1.00' }] },
    ];
    const without: TillEvent[] = [
      { kind: 'unanswered', id: 'a' },
      { kind: 'goOn', isThere: false },
    ];
    const left = after(...lamp, ...redeem('a'), ...without, { kind: 'clear', id: 'c' }, ...lamp);
    expect([left.cart.rewarded, left.work]).toEqual([undefined, undefined]);
    const again = redeem('b').reduce(tillAfter, left);
    expect(again.work).toMatchObject({ kind: 'send', id: 'a', sending: { redeemed: { customer: { id: 3 }, reward }, isAgain: true } });
    expect(without.reduce(tillAfter, again).owed).toHaveLength(1);
    const stored = tillAfter(again, { kind: 'stored', id: 'a', saleId: 0, receipt: '', total: '0.00' });
    expect([stored.cart.rewarded, stored.owed]).toEqual(['1.00', []]);
    expect(tillAfter(again, { kind: 'refused', id: 'a', message: 'Loyalty points are not enough' }).owed).toEqual([]);
    // Of another customer it is another redemption.
    const other = tillAfter(left, { kind: 'change', action: { kind: 'customer', customer: { id: 5, name: 'Bo' } } });
    expect(tillAfter(other, { kind: 'redeem', id: 'b', reward }).work).toMatchObject({ id: 'b' });
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
    const line_items = [{ ...lineOf, product_id: 7, quantity: 2 }];
    const sale = { id: 5, receipt_number: 'R-5', discount_amount: '0.00', line_items } as unknown as Sale;
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
  expect([scanFrom('5000000000017'), scanFrom(' 3*LAN-1 '), scanFrom('12*'), scanFrom(' ')]).toEqual([
    { code: '5000000000017', quantity: 1 },
    { code: 'LAN-1', quantity: 3 },
    { code: '12*', quantity: 1 },
    undefined,
  ]);
  expect(scanFrom('1,000*LAN-1')).toEqual({ code: '1,000*LAN-1', quantity: 1 });
});

test('only what is weighed is sold in parts; what cannot be sold is told until seen', () => {
  const ham = { ...product(7), name: 'Ham', unit_type: 'gram' };
  const after = (text: string, found: typeof ham) =>
    tillAfter(tillAfter(emptyTill, { kind: 'scan', scan: { ...scanFrom(text)!, id: 's' } }), { kind: 'found', id: 's', products: [found] });
  for (const text of ['1,5*7', '1.5*7']) expect(after(text, ham).cart.lines).toMatchObject([{ name: 'Ham', quantity: 1.5, weighed: true }]);
  const piece = after('1,5*7', { ...ham, unit_type: 'unit' });
  expect([piece.cart.lines, piece.unsold]).toEqual([[], ['1.5 of Ham cannot be sold: scan it again']]);
  const none = after('0*7', ham);
  expect([none.cart.lines, none.unsold]).toEqual([[], ['0 of Ham cannot be sold: scan it again']]);
  expect(tillAfter(none, { kind: 'seen', of: 'unsold', place: 0 }).unsold).toEqual([]);
});

test('what cannot be sold ends a payment that waits for it, also once it is chosen', () => {
  const scanned: TillEvent[] = [
    { kind: 'scan', scan: { id: 'a', code: '1', quantity: 1 } },
    { kind: 'found', id: 'a', products: [product(1)] },
    { kind: 'scan', scan: { id: 'b', code: '2', quantity: 0.5 } },
    { kind: 'pay', id: 'p' },
  ];
  const told = [...scanned, { kind: 'found' as const, id: 'b', products: [product(2)] }].reduce(tillAfter, emptyTill);
  expect([told.work, told.unsold]).toEqual([undefined, ['0.5 of P2 cannot be sold: scan it again']]);
  const several = [...scanned, { kind: 'found' as const, id: 'b', products: [product(2), product(3)] }].reduce(tillAfter, emptyTill);
  const chosen = tillAfter(several, { kind: 'choose', choice: several.choices[0]!, product: product(3) });
  expect([chosen.choices, chosen.unsold]).toEqual([[], ['0.5 of P3 cannot be sold: scan it again']]);
});

test('a refused payment keeps its tenders as they were typed, until its sale ends', () => {
  const tenders = [
    { key: 0, method: 'gift_card' as const, card_number: 'G-1', amount: '0.40' },
    { key: 1, method: 'cash' as const, amount: '20' },
  ];
  const paying: TillEvent[] = [
    { kind: 'scan', scan: { id: 's', code: '1', quantity: 1 } },
    { kind: 'found', id: 's', products: [product(1)] },
    { kind: 'pay', id: 'p' },
    { kind: 'priced', id: 'p', sale: {} as Sale },
    { kind: 'paid', id: 'p', payments: [], change: '19.40', tenders },
  ];
  const after = (...events: TillEvent[]) => [...paying, ...events].reduce(tillAfter, emptyTill).cart.tenders;
  expect(after({ kind: 'refused', id: 'p', message: 'Too little' })).toMatchObject(tenders);
  expect(after({ kind: 'stored', id: 'p', saleId: 1, receipt: 'R-1', total: '1.00' })).toBeUndefined();
  expect(after({ kind: 'refused', id: 'p' }, { kind: 'clear', id: 'c' })).toBeUndefined();
});
