/** What a till is after an event. At most one thing is under way: an answer counts only while what it answers still is. */

import { isForgotten } from '../api/idempotency-key.ts';
import { numberText, t } from '../language/t.ts';
import { type Cart, type CartAction, cartAfter, emptyCart, mayBeSold, type SaleRow, type Sold, saleOf } from './cart.ts';
import { renewed } from './cart-renewed.ts';
import { broughtBy } from './cart-resumed.ts';
import { owedTo, withoutOwed } from './owed.ts';
import { type Tender, takenElsewhere } from './payments.ts';
import { enteredText, type Scan } from './scan.ts';
import { type Answered, type Ended, emptyTill, type Sending, type Till, type TillEvent, type Work } from './till.ts';
import { isLocked, refusalOf } from './till-refusal.ts';
import { ofAnother, withUnsold } from './told.ts';

/** The same till where the event is refused, or answers what is no longer under way. */
export function tillAfter(till: Till, event: TillEvent): Till {
  if (refusalOf(till, event) !== undefined) return till;
  switch (event.kind) {
    case 'scan':
      return isLocked(till) ? { ...till, held: [...till.held, event.scan] } : { ...till, scans: [...till.scans, event.scan] };
    case 'change':
      return event.action.kind === 'add' ? withMore(till, event.action) : withCart(till, cartAfter(till.cart, event.action));
    case 'choose': {
      const choices = till.choices.filter((one) => one.id !== event.choice.id);
      const { product, choice } = event;
      return product ? withMore({ ...till, choices }, { product, quantity: choice.quantity }) : withCart({ ...till, choices }, till.cart);
    }
    case 'seen':
      return { ...till, [event.of]: till[event.of].filter((_, place) => place !== event.place) };
    case 'clear': {
      const { parked } = till.cart;
      const work: Work | undefined = parked ? { kind: 'discard', id: event.id, saleId: parked.id, version: parked.version } : till.work;
      return { ...emptyTill, parkedHere: till.parkedHere, owed: till.owed, work };
    }
    case 'restore': {
      const { cart, ...told } = event.before;
      const { parked: _ended, ...before } = cart;
      const restored = withCart(till, cartAfter(till.cart, { kind: 'restore', before }));
      return {
        ...restored,
        scans: [...told.scans, ...till.scans],
        choices: [...told.choices, ...till.choices],
        unknown: [...told.unknown, ...till.unknown],
        late: [...told.late, ...till.late],
        unsold: [...told.unsold, ...till.unsold],
      };
    }
    case 'pay':
      return { ...till, refused: undefined, work: { kind: 'pay', id: event.id } };
    case 'redeem': {
      const { id = event.id } = owedTo(till).find((one) => one.reward.id === event.reward.id && !isForgotten(one.id)) ?? {};
      return { ...till, refused: undefined, work: { kind: 'redeem', id, reward: event.reward } };
    }
    case 'park':
      return parkedOnceFound({ ...till, refused: undefined, work: { kind: 'park', id: event.id } });
    case 'resume': {
      const { id, saleId } = event;
      const hasSale = till.cart.lines.length > 0 || till.scans.length > 0;
      const work: Work = hasSale ? { kind: 'park', id, next: saleId } : { kind: 'take', id, saleId };
      return parkedOnceFound({ ...till, refused: undefined, work });
    }
    case 'discard': {
      const { id, saleId } = event;
      const { parked } = till.cart;
      const work: Work = { kind: 'discard', id, saleId };
      if (saleId !== parked?.id) return { ...till, refused: undefined, work };
      return { ...till, cart: emptyCart, refused: undefined, work: { ...work, version: parked.version } };
    }
    case 'paid': {
      const { cart, work } = till;
      if (work?.kind !== 'pay' || !work.sale) return till;
      const sale: Partial<SaleRow> = { ...saleOf(cart), status: 'completed', payments: event.payments };
      // The dialog may have been open for long.
      const paid: Till = { ...till, cart: { ...cart, tenders: event.tenders }, work: { ...work, id: event.id } };
      return sent(paid, { kind: 'pay', saleId: cart.parked?.id, version: cart.parked?.version, sale, change: event.change });
    }
    case 'typed':
      return till.work?.kind === 'pay' ? withTenders(till, event.tenders) : till;
    case 'stop':
      return till.work && till.work.kind !== 'send' ? freed(till, isBehindSale(till.work)) : till;
    case 'goOn': {
      const { work } = till;
      if (work?.kind !== 'send' || !work.sending.isStopped) return till;
      if (event.isThere) return { ...till, work: { ...work, sending: { ...work.sending, isStopped: false, isAgain: true } } };
      const { redeemed } = work.sending;
      const { owed = [] } = withoutOwed(till, work.id);
      if (redeemed) return freed({ ...till, owed: [...owed, { id: work.id, ...redeemed }] });
      return freed(withSent({ ...till, cart: maybeStored(till.cart) }, work.sending));
    }
    case 'noted': {
      const { parked, note: _before, ...cart } = till.cart;
      if (parked?.id !== event.saleId) return till;
      const { version, note } = event;
      return { ...till, cart: { ...cart, parked: { ...parked, ...(version && { version }) }, ...(note && { note }) } };
    }
    case 'found':
      // A scan behind what was refused does not take away why.
      return till.scans[0]?.id === event.id ? { ...found(till, event), ...(till.refused && { refused: till.refused }) } : till;
    default:
      return till.work?.id === event.id ? answered(till, till.work, event) : till;
  }
}

/** The cart is another: what was said of the last one is over. */
function withCart({ ended: _ended, refused: _refused, ...till }: Till, cart: Cart): Till {
  return { ...till, cart };
}

const withoutTenders = ({ tenders: _before, ...cart }: Cart): Cart => cart;

function withTenders({ cart, ...till }: Till, tenders: Tender[] | undefined): Till {
  return { ...till, cart: { ...withoutTenders(cart), ...(tenders && { tenders }) } };
}

/** What a terminal has taken stays with the sale, also when that is parked. */
function withSent(till: Till, { kind }: Sending): Till {
  return kind === 'pay'
    ? withTenders(
        till,
        till.cart.tenders?.map((one) => ({ ...one, wasSent: true })),
      )
    : till;
}

/** Of what cannot be sold in this quantity there is nothing more, and the clerk is told. */
function withMore(till: Till, { product, quantity }: { product: Sold; quantity: number }): Till {
  if (mayBeSold(quantity, product)) return withCart(till, cartAfter(till.cart, { kind: 'add', product, quantity }));
  const said = t('{quantity} of {name} cannot be sold: scan it again', { quantity: numberText(quantity), name: product.name });
  return withUnsold(till, [said]);
}

/** Nothing is under way any more. What was scanned meanwhile is of this cart, or, where that has ended, is told. */
export function freed({ work: _work, held, ...rest }: Till, isLate = false): Till {
  // Without a line the tenders would be of the next sale.
  const till = rest.cart.lines.length > 0 ? rest : { ...rest, cart: withoutTenders(rest.cart) };
  return isLate
    ? { ...till, held: [], late: [...till.late, ...held.map(enteredText)] }
    : { ...till, held: [], scans: [...till.scans, ...held] };
}

/** What was sent of a parked sale may be what it is now. */
function maybeStored({ parked, ...sentCart }: Cart): Cart {
  return parked ? { ...sentCart, parked: { ...parked, known: [...(parked.known ?? []), sentCart] } } : sentCart;
}

const isBehindSale = (work: Work): boolean => work.kind === 'take' && work.isBehindSale === true;

const sent = (till: Till, sending: Sending): Till => ({ ...till, work: { kind: 'send', id: till.work!.id, sending } });

/** The first scan is looked up. One that is no line by itself ends what waits for it: the clerk sees to it first. */
function found(till: Till, { code, products, customer }: Extract<Answered, { kind: 'found' }>): Till {
  const [asked, ...scans] = till.scans as [Scan, ...Scan[]];
  // How many was typed before a code is of that code: with what stood before it in the search, this one was found alone.
  const isAlone = asked.whole !== undefined && code !== asked.whole;
  const scan = { ...asked, code: code ?? asked.code, ...(isAlone && { quantity: 1 }) };
  const [product, ...others] = products;
  const { customer: buyer } = till.cart;
  if (customer && (!buyer || buyer.id === customer.id))
    return parkedOnceFound(withCart({ ...till, scans }, cartAfter(till.cart, { kind: 'customer', customer })));
  const isOne = product && others.length === 0;
  if (isOne && mayBeSold(scan.quantity, product))
    return parkedOnceFound(withMore({ ...till, scans }, { product, quantity: scan.quantity }));
  const next = isLocked(till) ? freed({ ...till, scans }) : { ...till, scans };
  if (customer) return ofAnother(next, buyer!.name, customer.name);
  if (isOne) return withMore(next, { product, quantity: scan.quantity });
  return product ? { ...next, choices: [...next.choices, { ...scan, products }] } : { ...next, unknown: [...next.unknown, scan.code] };
}

/** A sale that is to be parked is sent once nothing of it is to be looked up. */
function parkedOnceFound(till: Till): Till {
  const { work, cart, scans } = till;
  if (work?.kind !== 'park' || scans.length > 0) return till;
  const { parked } = cart;
  // What was scanned is no line: there is nothing to park.
  if (cart.lines.length === 0 && !parked)
    return work.next === undefined ? freed(till) : { ...till, work: { kind: 'take', id: work.id, saleId: work.next } };
  return sent(till, {
    kind: 'park',
    saleId: parked?.id,
    version: parked?.version,
    // One that is ready stays so.
    sale: { ...saleOf(cart), ...(!parked && { status: 'pending' as const }) },
    next: work.next,
  });
}

function answered(till: Till, work: Work, answer: Exclude<Answered, { kind: 'found' }>): Till {
  const { cart, parkedHere } = till;
  switch (answer.kind) {
    case 'priced':
      return work.kind === 'pay' ? { ...till, work: { ...work, sale: answer.sale } } : till;
    case 'taken': {
      if (work.kind !== 'take') return till;
      const { sale, version, weighed } = answer;
      const resume: CartAction = { kind: 'resume', sale, version, weighed, ...parkedHere?.[sale.id] };
      const taken = cartAfter(cart, resume);
      // What a parked sale had is not of the next one.
      const entered = cart.parked ? emptyCart : cart;
      const next = freed(withCart(till, cartAfter(taken, { kind: 'restore', before: entered })));
      const isOfAnother = entered.customer && taken.customer && entered.customer.id !== taken.customer.id;
      return withUnsold(isOfAnother ? ofAnother(next, taken.customer!.name, entered.customer!.name) : next, broughtBy(entered, taken));
    }
    case 'discardable': {
      if (work.kind !== 'discard') return till;
      const sale: Partial<SaleRow> = { status: 'voided', void_reason: t('Discarded at the register') };
      return sent(till, { kind: 'discard', saleId: work.saleId, sale, version: work.version ?? answer.version });
    }
    case 'rewarded': {
      if (work.kind !== 'redeem' || !cart.customer) return till;
      const redeemed = { customer: cart.customer, reward: work.reward, actions: answer.actions };
      const isAgain = till.owed?.some(({ id }) => id === work.id) === true;
      return sent(till, { kind: 'redeem', redeemed, ...(isAgain && { isAgain }) });
    }
    case 'stored':
      return work.kind === 'send' ? stored(till, work, answer) : till;
    case 'unanswered':
      return work.kind === 'send' ? { ...till, work: { ...work, sending: { ...work.sending, isStopped: true } } } : till;
    case 'refused': {
      const answeredTill = work.kind === 'send' ? withoutOwed(withSent(till, work.sending), work.id) : till;
      const next = { ...freed(answeredTill, isBehindSale(work)), refused: answer.message };
      return answer.resume ? onTopOf(cartAfter(cart, answer.resume), next) : next;
    }
  }
}

/** The sale of the cart is another by now: what was changed here since is kept, and said. */
function onTopOf(theirs: Cart, { refused, ...till }: Till): Till {
  const cart = renewed(till.cart, theirs);
  const isKept = JSON.stringify(saleOf(cart)) !== JSON.stringify(saleOf(theirs));
  const kept = t('What you changed here since is kept: look at the lines and the new total');
  return { ...till, cart, refused: isKept ? `${refused}. ${kept}` : refused };
}

function stored(
  till: Till,
  { id, sending }: Extract<Work, { kind: 'send' }>,
  { saleId, receipt, total }: Extract<Answered, { kind: 'stored' }>,
) {
  const { kind, next, redeemed, change = '0.00' } = sending;
  const ended: Ended = { kind, saleId, receipt, total, change };
  if (redeemed) return freed(withCart(withoutOwed(till, id), redeemed.actions.reduce(cartAfter, till.cart)));
  // Another sale than that of the cart.
  if (kind === 'discard') return freed({ ...till, ended });
  const { rewarded } = till.cart;
  const taken = takenElsewhere(till.cart.tenders);
  const tenders = taken.length > 0 ? taken : undefined;
  const parkedHere = kind === 'park' ? { ...till.parkedHere, [saleId]: { rewarded, tenders } } : till.parkedHere;
  const after: Till = { ...till, cart: emptyCart, unknown: [], unsold: [], choices: [], parkedHere, ended };
  return next === undefined ? freed(after, true) : { ...after, work: { kind: 'take' as const, id, saleId: next, isBehindSale: true } };
}
