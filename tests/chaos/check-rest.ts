/**
 * What is conserved once nothing moves any more: money, points, costs, copies, and the log of events. Amounts are hundredths,
 * quantities thousandths; every sum is made anew from rows, by whole numbers.
 */
import { add, differences, isEffective } from './check-register.ts';
import type { Costs, History, Sale, Violation } from './history.ts';

export function checkRest(history: History): Violation[] {
  return [
    ...checkPayments(history),
    ...checkStandingTenders(history),
    ...checkDrawers(history),
    ...checkPoints(history),
    ...history.rest.costs.flatMap(checkCosts),
    ...history.rest.copies.map((detail) => ({ rule: 'copy', detail })),
    ...checkLog(history),
    ...history.rest.records
      .filter(({ inEvent, shows }) => inEvent !== shows)
      .map(({ record, inEvent, shows }) => ({
        rule: 'event-shows',
        detail: `${record}: its last event told ${inEvent}, and GET shows ${shows}`,
      })),
  ];
}

function checkPayments({ register }: History): Violation[] {
  return register.sales
    .filter(({ counted, paid, total }) => counted && paid !== total)
    .map(({ receipt, paid, total }) => ({ rule: 'payments', detail: `${receipt} is of ${total} and has payments of ${paid}` }));
}

/** A tender that was not given back is that of a sale that stands, and each of those has its own. */
function checkStandingTenders({ register, rest }: History): Violation[] {
  const [wanted, found] = [new Map<string, number>(), new Map<string, number>()];
  for (const { id, credit } of register.sales.filter(isEffective)) add(wanted, `sale ${id}`, credit);
  for (const { sale, amount } of rest.tenders) add(found, `sale ${sale}`, amount);
  return differences(wanted, found).map((detail) => ({ rule: 'tender-standing', detail: `store credit kept for ${detail}` }));
}

/** Between the clocks of two processes. */
const clocksDifferMs = 2_000;

/**
 * The float and the cash of its sales, without those that were voided while it was open and what it paid back for sales of closed
 * sessions and of none.
 * A sale that was voided after the close, while nobody had a drawer open, is told by its time alone.
 */
function checkDrawers({ register, rest }: History): Violation[] {
  return rest.drawers.flatMap(({ id, float, expected, closedAtMs }) => {
    const own = register.sales.filter(({ drawer, counted }) => counted && drawer === id);
    const paidBack = register.sales.filter(({ refunder }) => refunder === id);
    const unpaid = own.filter(({ voided, refunder }) => voided && refunder === null);
    const afterClose = unpaid.filter(({ voidedAtMs }) => closedAtMs !== null && voidedAtMs! > closedAtMs);
    const isUnclear = closedAtMs !== null && unpaid.some(({ voidedAtMs }) => Math.abs(voidedAtMs! - closedAtMs) < clocksDifferMs);
    const standing = own.filter(({ voided, refunder }) => !voided || refunder !== null);
    const sum = (sales: Sale[]) => sales.reduce((total, { cash }) => total + cash, 0);
    const wanted = float + sum(standing) + sum(afterClose) - sum(paidBack);
    if (wanted === expected || isUnclear) return [];
    return [{ rule: 'drawer', detail: `drawer ${id} expects ${expected}, and its sales make ${wanted}` }];
  });
}

/** A sale gives points once, and its void takes back exactly those. */
function checkPoints({ register }: History): Violation[] {
  const bySale = Map.groupBy(
    register.balances.filter(({ ledger, sale }) => ledger === 'points' && sale !== null),
    ({ sale }) => sale!,
  );
  return register.sales.flatMap((sale) => {
    const moved = (bySale.get(sale.id) ?? []).toSorted((a, b) => a.id - b.id).map(({ amount }) => amount);
    const [given = 0, back, ...more] = moved;
    const isSound = sale.voided ? moved.length === 0 || (sale.counted && given > 0 && back === -given) : back === undefined;
    const isGiven = moved.length === 0 || (sale.counted && given > 0);
    if (isSound && isGiven && more.length === 0) return [];
    return [{ rule: 'points', detail: `sale ${sale.receipt} moved points by ${moved.join(', ')}` }];
  });
}

/** The average of all that came, rounded half up once; the cost is that of the line that came last. */
function checkCosts({ product, average, cost, lines }: Costs): Violation[] {
  const received = lines.filter(({ quantity }) => quantity > 0);
  const quantity = received.reduce((sum, line) => sum + BigInt(line.quantity), 0n);
  const value = received.reduce((sum, line) => sum + BigInt(line.quantity) * BigInt(line.unit), 0n);
  const wanted = quantity === 0n ? null : Number((2n * value + quantity) / (2n * quantity));
  const [last] = received.toSorted((a, b) => (a.receivedAt === b.receivedAt ? b.id - a.id : a.receivedAt < b.receivedAt ? 1 : -1));
  const found: Violation[] = [];
  if (average !== wanted) found.push({ rule: 'average-cost', detail: `product ${product} has ${average}, its lines make ${wanted}` });
  if (last && cost !== last.unit) found.push({ rule: 'cost', detail: `product ${product} has ${cost}, and its last line ${last.unit}` });
  return found;
}

/** Without a gap, equal to Kafka's, and nothing came at or below a number that a reader had been shown as the latest. */
function checkLog({ rest, carried }: History): Violation[] {
  const { log, polled } = rest;
  if (!log) return [];
  const found: Violation[] = [];
  for (const [store, events] of Map.groupBy(log, (event) => event.store)) {
    const sequences = events.map(({ sequence }) => sequence).sort((a, b) => a - b);
    const gap = sequences.find((sequence, n) => n > 0 && sequence !== sequences[n - 1]! + 1);
    if (gap !== undefined) found.push({ rule: 'log-gap', detail: `store ${store} has no event ${gap - 1}, or twice` });
  }
  const logged = new Set(log.map(({ eventId }) => eventId));
  const sent = new Set(carried.filter(({ hash }) => hash !== null).map(({ eventId }) => eventId));
  for (const id of sent) if (!logged.has(id)) found.push({ rule: 'log-differs', detail: `${id} is in Kafka and not in the log` });
  for (const id of logged) if (!sent.has(id)) found.push({ rule: 'log-differs', detail: `${id} is in the log and not in Kafka` });
  const own = log.filter(({ store }) => store === polled.store).toSorted((a, b) => a.sequence - b.sequence);
  const read = new Set(polled.eventIds);
  for (const { sequence, eventId } of own)
    if (sequence <= polled.latest && !read.has(eventId))
      found.push({ rule: 'log-late', detail: `event ${sequence} came after ${polled.latest} had been shown as the latest` });
  const order = own.filter(({ eventId }) => read.has(eventId)).map(({ eventId }) => eventId);
  const known = polled.eventIds.filter((id) => logged.has(id));
  if (order.join() !== known.join()) found.push({ rule: 'log-order', detail: 'a reader got the events in another order than the log has' });
  return found;
}
