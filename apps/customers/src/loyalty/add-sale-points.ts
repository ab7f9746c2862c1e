/**
 * Adds the points of sales and moves tiers (D221, D223). The sales of a batch are taken in their order, as if each were handled by
 * itself: one sale may reach the tier by which the next one's points are multiplied. SQL text: it runs for every batch.
 */
import { type EntityManager, type Row, sql } from '@store/db';
import { cents, moneyText } from '@store/input';
import type { Customer } from '../customers/customer.ts';
import { heldTier, pointsFor } from '../loyalty-tiers/held-tier.ts';
import { rankedTiers } from '../loyalty-tiers/loyalty-tier.query.ts';
import type { TierRow } from '../loyalty-tiers/loyalty-tier.ts';
import { type Added, addedOf, type Handled, type SaleEffect } from '../sales/count-sales.ts';
import { movePoints, type PointsMovement, pointsWithin } from './move-points.ts';

type Standing = Pick<Row<typeof Customer>, 'id' | 'loyalty_points' | 'lifetime_spend' | 'visit_count' | 'loyalty_tier_id' | 'loyalty_tier'>;

/** Of locked customers whose spend and visits are written; the ids of those whose points or tier this changed. */
export async function addSalePoints(
  em: EntityManager,
  { storeId, now, earns }: Handled & { earns: boolean },
  effects: SaleEffect[],
): Promise<number[]> {
  const added = addedOf(effects);
  if (added.size === 0) return [];
  const standings = await standingsOf(em, storeId, [...added.keys()]);
  // Read after the customers were locked: a later change of tiers finds these customers as they are written here.
  const ranked = await rankedTiers(em, storeId);
  const movements = movementsOf(effects, {
    earns,
    ranked,
    standings: new Map(standings.map((standing) => [standing.id, before(standing, added.get(standing.id)!)])),
    given: await pointsGiven(em, storeId, effects),
  });
  const points = new Map(standings.map(({ id, loyalty_points }) => [id, loyalty_points]));
  await movePoints(em, { storeId, now }, movements, points);
  const placed = await placeCustomers(em, { storeId, now }, standings, ranked);
  // A sale and its void in one batch leave the points as they were: no event (D224).
  const moved = standings.filter(({ id, loyalty_points }) => points.get(id) !== loyalty_points);
  return [...moved.map(({ id }) => id), ...placed];
}

type Walked = Added & { points: number };

interface Walk {
  /** For sales of earlier releases, which do not say whether the plan had loyalty: whether it has now. */
  earns: boolean;
  ranked: TierRow[];
  /** Spend, visits and points before the batch; moved on. */
  standings: Map<number, Walked>;
  /** Points by sale; a void takes exactly these back. */
  given: Map<number, number>;
}

function movementsOf(effects: SaleEffect[], { earns, ranked, standings, given }: Walk): PointsMovement[] {
  return effects.flatMap(({ kind, sale, customerId, spend, visits }) => {
    const standing = standings.get(customerId);
    // A customer that this service does not have.
    if (!standing) return [];
    // Without loyalty in the plan no points are earned, nor later (D221).
    const earned = (sale.loyalty ?? earns) ? pointsOf(sale, ranked, standing) : 0;
    const points = pointsWithin(standing.points, kind === 'completed' ? earned : -(given.get(sale.id) ?? 0));
    if (kind === 'completed') given.set(sale.id, points);
    standings.set(customerId, { spend: standing.spend + spend, visits: standing.visits + visits, points: standing.points + points });
    if (points === 0) return [];
    const movement_type = kind === 'completed' ? 'sale' : 'void';
    return [{ customer_id: customerId, movement_type, points, sale_id: sale.id, reason: sale.receipt_number, user: sale.user }];
  });
}

function pointsOf({ subtotal, discount_amount }: SaleEffect['sale'], ranked: TierRow[], { spend, visits }: Added): number {
  const tier = heldTier(ranked, { lifetime_spend: moneyText(spend), visit_count: visits });
  return pointsFor(moneyText(cents(subtotal) - cents(discount_amount)), tier?.points_multiplier ?? '1.00');
}

function before({ lifetime_spend, visit_count, loyalty_points }: Standing, added: Added): Walked {
  return { spend: cents(lifetime_spend) - added.spend, visits: visit_count - added.visits, points: loyalty_points };
}

function standingsOf(em: EntityManager, storeId: number, ids: number[]): Promise<Standing[]> {
  return sql<Standing>(
    em,
    `select id, loyalty_points, lifetime_spend, visit_count, loyalty_tier_id, loyalty_tier from customers.customers
     where store_id = $1 and id = any ($2::bigint[]) order by id`,
    [storeId, ids],
  );
}

/** What completions of earlier batches gave, for the voids of this one. */
async function pointsGiven(em: EntityManager, storeId: number, effects: SaleEffect[]): Promise<Map<number, number>> {
  const voided = effects.filter(({ kind }) => kind === 'voided').map(({ sale }) => sale.id);
  if (voided.length === 0) return new Map();
  const rows = await sql<{ sale_id: number; points: number }>(
    em,
    `select sale_id, points from customers.loyalty_movements
     where store_id = $1 and sale_id = any ($2::bigint[]) and movement_type = 'sale'`,
    [storeId, voided],
  );
  return new Map(rows.map(({ sale_id, points }) => [sale_id, points]));
}

/** Moves customers to the tier that they reach now, downwards too; their ids. */
async function placeCustomers(em: EntityManager, { storeId, now }: Handled, standings: Standing[], ranked: TierRow[]): Promise<number[]> {
  const moved = standings.flatMap((standing) => {
    const tier = heldTier(ranked, standing);
    const isPlaced = standing.loyalty_tier_id === (tier?.id ?? null) && standing.loyalty_tier === (tier?.name ?? null);
    return isPlaced ? [] : [{ id: standing.id, tier_id: tier?.id ?? null, tier: tier?.name ?? null }];
  });
  if (moved.length === 0) return [];
  await sql(
    em,
    `update customers.customers c set loyalty_tier_id = x.tier_id, loyalty_tier = x.tier, updated_at = $2
     from json_to_recordset($3::json) as x(id bigint, tier_id bigint, tier text)
     where c.store_id = $1 and c.id = x.id`,
    [storeId, now, JSON.stringify(moved)],
  );
  return moved.map(({ id }) => id);
}
