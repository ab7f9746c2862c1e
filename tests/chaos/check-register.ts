/**
 * The register's side: what a sale sets in motion happened once. Stock left and came back line by line, spend and visits are
 * those of the sales that count, and every balance is the sum of its ledger. Amounts are hundredths, quantities thousandths.
 */
import type { History, RegisterHistory, Sale, Violation } from './history.ts';

export function checkRegister({ register, tillRequests }: History): Violation[] {
  return [
    ...checkSoldStock(register),
    ...checkSpend(register),
    ...checkBalances(register),
    ...checkTenders(register, new Set(tillRequests.flatMap(({ kind, receipt }) => (kind === 'redeem' ? (receipt ?? []) : [])))),
    ...checkReceipts(register),
  ];
}

/** Completed, and not voided. */
export const isEffective = (sale: Sale | undefined): boolean => sale?.counted === true && !sale.voided;

/** One row of type sale per line of a sale that was completed, and one of type void per line when it was voided then. */
function checkSoldStock({ sales, moved }: RegisterHistory): Violation[] {
  const wanted = new Map<string, number>();
  for (const { receipt, counted, voided, lines } of sales) {
    if (!counted) continue;
    for (const { product, quantity } of lines) {
      add(wanted, `${receipt} sale ${product} ${-quantity}`, 1);
      if (voided) add(wanted, `${receipt} void ${product} ${quantity}`, 1);
    }
  }
  const found = new Map<string, number>();
  for (const { reason, type, product, change } of moved.filter(({ type }) => type !== 'receive'))
    add(found, `${reason} ${type} ${product} ${change}`, 1);
  return differences(wanted, found).map((detail) => ({ rule: 'sale-stock', detail: `ledger rows of ${detail}` }));
}

function checkSpend({ sales, customers }: RegisterHistory): Violation[] {
  const wanted = new Map<string, number>();
  for (const { customer, total } of sales.filter(isEffective)) {
    if (customer === null) continue;
    add(wanted, `spend of customer ${customer}`, total);
    add(wanted, `visits of customer ${customer}`, 1);
  }
  const found = new Map<string, number>();
  for (const { id, spend, visits } of customers) {
    add(found, `spend of customer ${id}`, spend);
    add(found, `visits of customer ${id}`, visits);
  }
  return differences(wanted, found).map((detail) => ({ rule: 'customer-spend', detail }));
}

/** Gift cards, store credit and points: each row goes on from the one before, and the last is the balance. */
function checkBalances({ balances, holders }: RegisterHistory): Violation[] {
  const violations: Violation[] = [];
  const ends = new Map<string, number>();
  for (const { ledger, holder, id, amount, before, after } of balances.toSorted((a, b) => a.id - b.id)) {
    const name = `${ledger} ${holder}`;
    const wasLast = ends.get(name) ?? 0;
    if (before !== wasLast)
      violations.push({ rule: 'balance-chain', detail: `row ${id} of ${name} begins at ${before}, not at ${wasLast}` });
    if (before + amount !== after)
      violations.push({ rule: 'balance-chain', detail: `row ${id} of ${name}: ${before} + ${amount} is not ${after}` });
    ends.set(name, after);
  }
  const found = new Map(holders.map(({ ledger, id, balance }) => [`${ledger} ${id}`, balance]));
  return [...violations, ...differences(ends, found).map((detail) => ({ rule: 'balance-sum', detail: `the balance of ${detail}` }))];
}

/**
 * What was taken for a sale is its tender while the sale stands, and nothing otherwise. `redeemed`: sales for which more was taken from
 * cards, which the order of each card accounts for.
 */
function checkTenders({ sales, balances }: RegisterHistory, redeemed: Set<string>): Violation[] {
  const wanted = new Map<string, number>();
  for (const sale of sales.filter(isEffective)) {
    add(wanted, `gift card of sale ${sale.id}`, -sale.card);
    add(wanted, `store credit of sale ${sale.id}`, -sale.credit);
  }
  const found = new Map<string, number>();
  for (const { ledger, sale, amount } of balances)
    if (sale !== null && ledger !== 'points') add(found, `${ledger} of sale ${sale}`, amount);
  for (const { id, receipt } of sales)
    if (redeemed.has(receipt)) for (const sums of [wanted, found]) sums.delete(`gift card of sale ${id}`);
  return differences(wanted, found).map((detail) => ({ rule: 'tender', detail }));
}

/** What the orders say was received is what the ledger received. */
function checkReceipts({ orders, moved }: RegisterHistory): Violation[] {
  const wanted = new Map<string, number>();
  for (const { number, product, received } of orders) add(wanted, `${number} product ${product}`, received);
  const found = new Map<string, number>();
  for (const { type, reason, product, change } of moved) if (type === 'receive') add(found, `${reason} product ${product}`, change);
  return differences(wanted, found).map((detail) => ({ rule: 'receipt-stock', detail: `received by ${detail}` }));
}

export function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Where two sums differ; what is absent is 0. */
export function differences(wanted: Map<string, number>, found: Map<string, number>): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((key) => (wanted.get(key) ?? 0) !== (found.get(key) ?? 0))
    .map((key) => `${key}: ${found.get(key) ?? 0}, and not ${wanted.get(key) ?? 0}`);
}
