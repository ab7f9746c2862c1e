/** The ledger is a chain that ends at the stock, catalog's copy is that stock, and every change has one audit entry. */
import type { History, Violation } from './history.ts';

export function checkLedger({ ledger, stock }: History): Violation[] {
  const violations: Violation[] = [];
  const ends = new Map<number, number>();
  for (const { id, product, before, change, after } of [...ledger].sort((a, b) => a.id - b.id)) {
    const wasLast = ends.get(product) ?? 0;
    if (before !== wasLast)
      violations.push({ rule: 'ledger-chain', detail: `row ${id} of product ${product} begins at ${before}, not at ${wasLast}` });
    if (before + change !== after) violations.push({ rule: 'ledger-chain', detail: `row ${id}: ${before} + ${change} is not ${after}` });
    ends.set(product, after);
  }
  const sums = new Map<number, number>();
  for (const { product, change } of ledger) sums.set(product, (sums.get(product) ?? 0) + change);
  for (const { product, quantity, copy } of stock) {
    const sum = sums.get(product) ?? 0;
    if (sum !== quantity) violations.push({ rule: 'ledger-sum', detail: `product ${product} has ${quantity}, its rows make ${sum}` });
    if (copy !== quantity) violations.push({ rule: 'stock-copy', detail: `product ${product} has ${quantity}, catalog says ${copy}` });
  }
  const counted = new Set(stock.map(({ product }) => product));
  for (const product of sums.keys())
    if (!counted.has(product)) violations.push({ rule: 'ledger-sum', detail: `product ${product} has ledger rows and no stock` });
  return violations;
}

/** Audit entries = committed changes of staff and keys (P27): of each product and stock adjustment, and of each request. */
export function checkAudit({ changes, audited, writes, tillRequests, auditedRequests }: History): Violation[] {
  const balance = new Map<string, { wanted: number; found: number }>();
  const of = (resource: string) => {
    const one = balance.get(resource) ?? { wanted: 0, found: 0 };
    balance.set(resource, one);
    return one;
  };
  for (const { audit } of changes) if (audit !== null) of(audit).wanted += 1;
  for (const resource of audited) of(resource).found += 1;
  const resources = [...balance].flatMap(([resource, { wanted, found }]) => {
    const detail = `${resource} was changed ${wanted} times and has ${found} entries`;
    if (found < wanted) return [{ rule: 'audit-missing', detail }];
    return found > wanted ? [{ rule: 'audit-phantom', detail }] : [];
  });
  // A repetition has the same id with another number behind it.
  const entered = new Set(auditedRequests.map((id) => id.replace(/-\d+$/, '')));
  const unseen = writes.filter(({ id, result, refusable }) => result === 'ok' && !refusable && !entered.has(id));
  const refused = [...writes, ...tillRequests].filter(({ id, result }) => result === 'fail' && entered.has(id));
  return [
    ...resources,
    ...unseen.map(({ id, what }) => ({ rule: 'audit-missing', detail: `${what} (${id}) succeeded and has no entry` })),
    ...refused.map(({ id }) => ({ rule: 'audit-phantom', detail: `${id} was refused and has an entry` })),
  ];
}
