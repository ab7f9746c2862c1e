/** What the clerk was told and has entered stays until he has seen it or changes it himself. */
import { expect, test } from '@jest/globals';
import { saleOf } from './cart.ts';
import { emptyTill, type Sale, type TillEvent } from './till.ts';
import { tillAfter } from './till-after.ts';

const product = (id: number) => ({ id, name: `P${id}`, effective_price: '1.00', unit_type: 'unit' });
const scanned = (id: number): TillEvent[] => [
  { kind: 'scan', scan: { id: `s${id}`, code: String(id), quantity: 1 } },
  { kind: 'found', id: `s${id}`, products: [product(id)] },
];
const line = { product_id: 7, quantity: 2, product_name: 'P7', unit_price: '1.00', discount_amount: '0.00', modifiers: [] };
const parked = (more = {}) =>
  ({ id: 5, receipt_number: 'R-5', discount_amount: '0.00', line_items: [{ ...line, kitchen_item: false }], ...more }) as unknown as Sale;
const resumed = (sale = parked()): TillEvent[] => [
  { kind: 'resume', id: 'r', saleId: sale.id },
  { kind: 'taken', id: 'r', sale, weighed: [] },
];
const after = (...events: (TillEvent | TillEvent[])[]) => events.flat().reduce(tillAfter, emptyTill);
const ann = { id: 3, name: 'Ann' };
const paid: TillEvent[] = [
  { kind: 'pay', id: 'p' },
  { kind: 'priced', id: 'p', sale: {} as Sale },
  { kind: 'paid', id: 'p', payments: [], change: '0.00', tenders: [{ key: 0, method: 'debit', amount: '2.00' }] },
];

test('a refusal stays behind what was scanned meanwhile', () => {
  const [scan, found] = scanned(2);
  const till = after(scanned(1), paid, scan!, { kind: 'refused', id: 'p', message: 'Too little' }, found!);
  expect([till.refused, till.cart.lines.length]).toEqual(['Too little', 2]);
  expect(tillAfter(till, { kind: 'change', action: { kind: 'discount', amount: '' } }).refused).toBeUndefined();
});

test('a payment refused for a change at another till keeps its tenders', () => {
  const resume = { kind: 'resume' as const, sale: parked() };
  const { cart } = after(resumed(), paid, { kind: 'refused', id: 'p', message: 'Changed', resume });
  expect(cart.tenders).toMatchObject([{ method: 'debit' }]);
});

test('who and what was entered before a parked sale is of it, unless it has its own', () => {
  const entered: TillEvent[] = [
    { kind: 'change', action: { kind: 'customer', customer: ann } },
    { kind: 'change', action: { kind: 'discount', amount: '0.50' } },
  ];
  const { cart, unsold } = after(entered, resumed());
  expect(cart).toMatchObject({ customer: ann, discount: '0.50', lines: [{ productId: 7 }] });
  expect(unsold).toEqual(['This sale has now what was entered before it was resumed: Ann, 0.50']);
  const ofBert = after(entered, resumed(parked({ customer: { id: 4, name: 'Bert' }, discount_amount: '0.20' })));
  expect(ofBert.cart).toMatchObject({ customer: { name: 'Bert' }, discount: '0.20' });
  const emptied: TillEvent = { kind: 'change', action: { kind: 'remove', key: 1 } };
  const second = after(resumed(parked({ customer: ann, discount_amount: '0.40' })), emptied, resumed(parked({ id: 6 })));
  expect([second.cart.customer, second.cart.discount, second.unsold]).toEqual([undefined, '', []]);
  const other = 'This sale is of Bert: take them off before the card of Ann is scanned';
  expect(ofBert.unsold).toEqual([other]);
  const withoutDiscount = after(entered, resumed(parked({ customer: { id: 4, name: 'Bert' } })));
  expect(withoutDiscount.unsold).toEqual([other, 'This sale has now what was entered before it was resumed: 0.50']);
});

test('a reward that was taken off a parked sale does not come back with it', () => {
  const stored: TillEvent = { kind: 'stored', id: 'k', saleId: 5, receipt: 'R-5', total: '1.00' };
  const park: TillEvent[] = [{ kind: 'park', id: 'k' }, stored];
  const reward: TillEvent[] = [
    { kind: 'change', action: { kind: 'customer', customer: ann } },
    { kind: 'change', action: { kind: 'reward', amount: '0.40' } },
  ];
  const withReward = after(scanned(1), reward, park);
  const sale = parked({ customer: ann, discount_amount: '0.40' });
  const back = resumed(sale).reduce(tillAfter, withReward);
  expect(back.cart.rewarded).toBe('0.40');
  expect(resumed(parked({ customer: ann })).reduce(tillAfter, withReward).cart.rewarded).toBeUndefined();
  const without = [{ kind: 'change' as const, action: { kind: 'customer' as const, customer: undefined } }, ...park].reduce(
    tillAfter,
    back,
  );
  expect(resumed(sale).reduce(tillAfter, without).cart.rewarded).toBeUndefined();
});

test('a payment that was refused is kept with the sale that is parked', () => {
  const refused: TillEvent = { kind: 'refused', id: 'p', message: 'Too little' };
  const park: TillEvent[] = [
    { kind: 'park', id: 'k' },
    { kind: 'stored', id: 'k', saleId: 5, receipt: 'R-5', total: '1.00' },
  ];
  const till = after(scanned(1), paid, refused, park, resumed());
  expect(till.cart.tenders).toEqual([{ key: 0, method: 'debit', amount: '2.00', wasSent: true }]);
  // One that was only begun is no payment of the sale that is resumed.
  const begun: TillEvent[] = [
    { kind: 'pay', id: 'p' },
    { kind: 'typed', tenders: [{ key: 0, method: 'debit', amount: '2.00' }] },
    { kind: 'stop' },
  ];
  expect(after(scanned(1), begun, park, resumed()).cart.tenders).toBeUndefined();
});

test('a parked sale that is parked again keeps its state', () => {
  const statusOf = (sale: TillEvent[]) => {
    const { work } = after(sale, { kind: 'park', id: 'k' });
    return work?.kind === 'send' ? work.sending.sale?.status : 'nothing is sent';
  };
  expect([statusOf(scanned(1)), statusOf(resumed())]).toEqual(['pending', undefined]);
});

test('a cleared till is told again of what was not sold when it is restored', () => {
  const [scan] = scanned(2);
  const late = after(scanned(1), paid, scan!, { kind: 'stored', id: 'p', saleId: 1, receipt: 'R-1', total: '1.00' }, scanned(3));
  expect(late.late).toEqual(['2']);
  const cleared = tillAfter(late, { kind: 'clear', id: 'c' });
  expect([cleared.late, tillAfter(cleared, { kind: 'restore', before: late }).late]).toEqual([[], ['2']]);
});

test('how many was typed before a code is of that code alone', () => {
  const scan = { id: 's', code: '2418', whole: '22418', quantity: 3 };
  const sold = (code: string) => {
    const { cart } = after({ kind: 'scan', scan }, { kind: 'found', id: 's', code, products: [product(1)] });
    return cart.lines.map(({ quantity }) => quantity);
  };
  expect([sold('22418'), sold('2418')]).toEqual([[3], [1]]);
});

test('a card that is looked up while a parked sale is asked for is of that sale', () => {
  const [scan] = scanned(2);
  const till = after(scan!, { kind: 'resume', id: 'r', saleId: 5 }, { kind: 'found', id: 's2', products: [], customer: ann });
  expect(till.work).toEqual({ kind: 'take', id: 'r', saleId: 5 });
  expect(tillAfter(till, { kind: 'taken', id: 'r', sale: parked(), weighed: [] }).cart).toMatchObject({ customer: ann, parked: { id: 5 } });
});

test('of two lines alike, the other till’s change leaves what was left here', () => {
  const [line] = parked().line_items;
  const both = parked({ line_items: [line, { ...line, quantity: 3 }] });
  const left = (key: number) => {
    const refused: TillEvent = { kind: 'refused', id: 'p', message: 'Changed', resume: { kind: 'resume', sale: both } };
    const { cart } = after(resumed(both), { kind: 'change', action: { kind: 'remove', key } }, paid, refused);
    return cart.lines.map(({ quantity }) => quantity);
  };
  expect([left(1), left(2)]).toEqual([[3], [2]]);
});

test('a payment keeps what was typed into it, whatever closes it', () => {
  const tenders = [{ key: 0, method: 'debit' as const, amount: '2.00' }];
  const typed: TillEvent[] = [
    { kind: 'pay', id: 'p' },
    { kind: 'typed', tenders },
  ];
  const [scan, hit] = scanned(5);
  const none: TillEvent = { kind: 'found', id: 's5', products: [] };
  const left = (...events: (TillEvent | TillEvent[])[]) => {
    const { work, cart } = after(...events);
    return [work, cart.tenders];
  };
  expect(left(scanned(1), typed, { kind: 'stop' })).toEqual([undefined, tenders]);
  expect(left(scanned(1), typed, { kind: 'refused', id: 'p', message: 'No price' })).toEqual([undefined, tenders]);
  expect(left(scanned(1), scan!, typed, none)).toEqual([undefined, tenders]);
  expect(left(scan!, typed, hit!, { kind: 'stop' })).toEqual([undefined, tenders]);
  // It was set back to cash.
  expect(left(scanned(1), typed, { kind: 'typed', tenders: undefined }, { kind: 'stop' })).toEqual([undefined, undefined]);
  // Without a line it would be of the next sale.
  expect(left(scan!, typed, none)).toEqual([undefined, undefined]);
});

test('what a parked sale was put aside for is of the new one that Undo makes of it', () => {
  const till = after(resumed(parked({ note: 'Table 4' })), { kind: 'noted', saleId: 5, version: '2', note: 'Table 5' });
  expect([saleOf(till.cart).note, till.cart.parked?.version]).toEqual([undefined, '2']);
  const answers: TillEvent[] = [
    { kind: 'clear', id: 'c' },
    { kind: 'discardable', id: 'c' },
    { kind: 'stored', id: 'c', saleId: 5, receipt: 'R-5', total: '1.00' },
  ];
  const cleared = answers.reduce(tillAfter, till);
  expect([cleared.cart.note, cleared.work]).toEqual([undefined, undefined]);
  const back = tillAfter(cleared, { kind: 'restore', before: till });
  expect(saleOf(back.cart).note).toBe('Table 5');
  const [line] = back.cart.lines;
  expect(tillAfter(back, { kind: 'change', action: { kind: 'remove', key: line!.key } }).cart.note).toBeUndefined();
});
