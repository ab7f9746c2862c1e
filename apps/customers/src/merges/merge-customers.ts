/** POST /customers/:id/merge (staff). */
import { LockMode } from '@mikro-orm/core';
import { addToTotal, askIn, camelCase, type EntityManager, flushRecord, sql } from '@store/db';
import { acceptBody, cents, idField, moneyText, parseId } from '@store/input';
import { invalid } from '@store/problem';
import { change, userOf } from '@store/service';
import { customerFields } from '../customers/customer.input.ts';
import { customerGone } from '../customers/customer.query.ts';
import { Customer, type CustomerRecord, customersTotal, derivedOf } from '../customers/customer.ts';
import { emitCustomers } from '../customers/emit-customers.ts';
import { loadRecord } from '../customers/save-customer.ts';
import type { Customers, Verb } from '../customers.ts';
import { movePoints } from '../loyalty/move-points.ts';
import { heldTier } from '../loyalty-tiers/held-tier.ts';
import { holdTiers, rankedTiers } from '../loyalty-tiers/loyalty-tier.query.ts';
import { moveCredit } from '../store-credits/move-credit.ts';

/** What the customer takes over where it has none of its own: all that clients write. */
const filled = customerFields.map(camelCase) as (keyof CustomerRecord)[];
/** Taken over as a whole where the first line is missing: lines of two addresses are none. */
const address: (keyof CustomerRecord)[] = ['addressLine1', 'addressLine2', 'city', 'province', 'postalCode', 'country'];

/**
 * The other customer is found to be this one: points, credit, spend, visits and what this one lacks move over in one transaction, and
 * the other is archived for good. Sales and gift cards follow by its event, and what names the other meanwhile reaches this one.
 */
export const mergeCustomers: Verb<'MergeCustomers'> = (app, request, call) => {
  const { values, errors } = acceptBody({ customer_id: idField() }, ['customer_id'], request);
  return change(app, call, async (em) => {
    const { caller } = call;
    const { storeId } = caller;
    const [id, otherId] = [parseId(request.id), errors.customer_id ? undefined : (values.customer_id ?? undefined)];
    if (id !== undefined && id === otherId) throw invalid(["Customer can't be merged into itself"]);
    await holdTiers(em, storeId, 'shared');
    const { kept, other } = await lockPair(em, storeId, id, otherId);
    const now = app.db.clock.now();
    const moved = { loyalty_points: other.loyaltyPoints, store_credit_balance: other.storeCreditBalance };
    const wasListed = other.archivedAt === null;
    await moveLedgers(em, { storeId, now, user: userOf(caller) }, kept, other);
    await settle(em, kept, other, now);
    if (wasListed) await addToTotal(em, app.db.schema, storeId, customersTotal, -1);
    await tell(em, app, call, [kept.id, other.id], moved);
    return { customer: await loadRecord(em, app, caller, kept.id) };
  });
};

/** Both, locked in id order. The other may be archived, as one whose contacts were taken since cannot be restored. */
async function lockPair(em: EntityManager, storeId: number, id: number | undefined, otherId: number | undefined) {
  const ids = [id, otherId].filter((one) => one !== undefined);
  const found = await em.find(Customer, { id: { $in: ids } }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
  const gone = (of: number | undefined) => customerGone(askIn(em), storeId, of);
  const kept = found.find((customer) => customer.id === id && customer.archivedAt === null);
  if (!kept) throw await gone(id);
  const other = found.find((customer) => customer.id === otherId && customer.mergedInto === null);
  if (!other) throw await gone(otherId);
  return { kept, other };
}

interface Moving {
  storeId: number;
  now: Date;
  user: ReturnType<typeof userOf>;
}

/** Each ledger gets a row on both sides: it stays a chain, and nothing is lost between the two. */
async function moveLedgers(em: EntityManager, { storeId, now, user }: Moving, kept: CustomerRecord, other: CustomerRecord): Promise<void> {
  const [out, into] = [`Merged into ${kept.customerCode}`, `Merged from ${other.customerCode}`];
  const credit = other.storeCreditBalance;
  if (Number(credit) !== 0) {
    const balances = new Map([kept, other].map((customer) => [customer.id, customer.storeCreditBalance]));
    const row = { transaction_type: 'adjust', user } as const;
    await moveCredit(
      em,
      { storeId, now },
      [
        { ...row, customer_id: other.id, amount: `-${credit}`, notes: out },
        { ...row, customer_id: kept.id, amount: credit, notes: into },
      ],
      balances,
    );
  }
  const points = other.loyaltyPoints;
  if (points !== 0) {
    const before = new Map([kept, other].map((customer) => [customer.id, customer.loyaltyPoints]));
    const row = { movement_type: 'adjust', user, mayOwe: true } as const;
    await movePoints(
      em,
      { storeId, now },
      [
        { ...row, customer_id: other.id, points: 0 - points, reason: out },
        { ...row, customer_id: kept.id, points, reason: into },
      ],
      before,
    );
  }
}

/** The other first: it sets free what is unique. Points and credit were written with their ledgers. */
async function settle(em: EntityManager, kept: CustomerRecord, other: CustomerRecord, now: Date): Promise<void> {
  const [spend, visits] = [other.lifetimeSpend, other.visitCount];
  Object.assign(other, { archivedAt: now, updatedAt: now, mergedInto: kept.id, lifetimeSpend: '0.00', visitCount: 0 });
  await flushRecord(em, Customer);
  await sql(em, 'update customers.customers set merged_into = $3 where store_id = $1 and merged_into = $2', [
    kept.storeId,
    other.id,
    kept.id,
  ]);
  const takesAddress = kept.addressLine1 === null && other.addressLine1 !== null;
  const blank = filled.filter((field) => (address.includes(field) ? takesAddress : kept[field] === null));
  Object.assign(kept, Object.fromEntries(blank.map((field) => [field, other[field]])), {
    lifetimeSpend: moneyText(cents(kept.lifetimeSpend) + cents(spend)),
    visitCount: kept.visitCount + visits,
    updatedAt: now,
  });
  const tier = heldTier(await rankedTiers(em, kept.storeId), { lifetime_spend: kept.lifetimeSpend, visit_count: kept.visitCount });
  Object.assign(kept, { loyaltyTierId: tier?.id ?? null, loyaltyTier: tier?.name ?? null });
  Object.assign(kept, derivedOf(kept));
  await flushRecord(em, Customer);
}

async function tell(
  em: EntityManager,
  app: Customers,
  { caller }: Parameters<Verb<'MergeCustomers'>>[2],
  [kept, other]: [number, number],
  moved: object,
) {
  await emitCustomers(em, app, caller, [
    {
      id: other,
      name: 'customer.updated',
      archives: true,
      audit: { action: 'customer.merge', before: { merged_into: null, ...moved }, after: { merged_into: kept } },
    },
    { id: kept, name: 'customer.updated', audit: { action: 'customer.merge', before: null, after: { merged_from: other, ...moved } } },
  ]);
}
