/** A parked sale that was changed at another till: as it is now, with what was done to it at this one since it was taken up. */

import { type Cart, type CartLine, cartAfter, nextKey, withProduct, withQuantity } from './cart.ts';

/** What one line has more than before, or less. */
interface Change {
  line: CartLine;
  more: number;
  /** How many it had; undefined: it is new. */
  was: number | undefined;
}

export function renewed(mine: Cart, theirs: Cart): Cart {
  const known = mine.parked?.known ?? [];
  // Of what was sent without an answer, only the sale itself tells whether it arrived.
  const before =
    known.find((one) => isWithin(theirs)(one) && isWithin(one)(theirs)) ?? largestOf(known.filter(isWithin(theirs))) ?? known[0] ?? mine;
  const customer = mine.customer?.id === before.customer?.id ? theirs.customer : mine.customer;
  const ours = cartAfter(mine, { kind: 'customer', customer });
  const discount = ours.discount === before.discount ? theirs.discount : ours.discount;
  const { rewarded = '0' } = discount === ours.discount ? ours : {};
  const { tenders } = ours;
  const lines = changesOf(before.lines, ours.lines).reduce(withChange, theirs.lines);
  return { ...theirs, lines, discount, customer, ...(Number(rewarded) > 0 && { rewarded }), ...(tenders && { tenders }) };
}

const quantityIn = ({ lines }: Cart, product: number) =>
  lines.reduce((sum, { productId, quantity }) => (productId === product ? sum + quantity : sum), 0);

const goodsIn = ({ lines }: Cart) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** The last of those with most goods. */
const largestOf = (carts: Cart[]) => carts.toReversed().toSorted((one, other) => goodsIn(other) - goodsIn(one))[0];

const isWithin = (all: Cart) => (one: Cart) => one.lines.every(({ productId }) => quantityIn(one, productId) <= quantityIn(all, productId));

const isLike = (one: CartLine) => (other: CartLine) =>
  one.productId === other.productId && JSON.stringify(one.own) === JSON.stringify(other.own);

function changesOf(before: CartLine[], after: CartLine[]): Change[] {
  const gone = [...before];
  const changes = after.map((line): Change => {
    const like = isLike(line);
    const same = gone.findIndex((one) => like(one) && one.quantity === line.quantity);
    const at = same < 0 ? gone.findIndex(like) : same;
    const was = at < 0 ? undefined : gone.splice(at, 1)[0];
    return { line, more: line.quantity - (was?.quantity ?? 0), was: was?.quantity };
  });
  return [...gone.map((line) => ({ line, more: -line.quantity, was: line.quantity })), ...changes.filter(({ more }) => more !== 0)];
}

function withChange(lines: CartLine[], { line, more, was }: Change): CartLine[] {
  const alike = lines.filter(isLike(line));
  const like = alike.find(({ quantity }) => quantity === was) ?? alike[0];
  if (more < 0) {
    // What was added here has what is its own once it is stored.
    const stored = line.own?.unit_price ? [] : lines.filter(({ productId }) => productId === line.productId);
    const less = like ?? stored.find(({ quantity }) => quantity === was) ?? stored[0];
    if (!less) return lines;
    const taken = Math.min(-more, less.quantity);
    const rest = withQuantity(lines, less, -taken).filter(({ quantity }) => quantity > 0);
    // Several lines may be alike.
    return taken < -more && (!like || rest.some(isLike(line))) ? withChange(rest, { line, more: more + taken, was }) : rest;
  }
  if (like && was !== undefined) return withQuantity(lines, like, more);
  if (line.own) return [...lines, { ...line, key: nextKey(lines), quantity: more }];
  const { productId: id, name, unitPrice: effective_price, weighed } = line;
  return withProduct(lines, { id, name, effective_price, unit_type: weighed ? 'gram' : 'unit' }, more);
}
