/** Writes movements of points: the ledger rows and the customers' points, under the customers' locks. SQL text: the consumer of sales runs it for every batch. */
import { type EntityManager, sql } from '@store/db';
import { invalid } from '@store/problem';
import { chainMovements, type Movement, movedTotals } from '../chain-movements.ts';
import type { MovementType } from './loyalty-movement.ts';

export interface PointsMovement extends Movement {
  movement_type: MovementType;
  /** Signed. */
  points: number;
  reward_id?: number;
  sale_id?: number;
  reason?: string | null;
  /** Points that a merged customer owed are owed still. */
  mayOwe?: boolean;
}

/** Limit of points, above 0 and below. */
const pointsMax = 1_000_000_000_000;

/** The part of what a sale or its void moves that is within the limits: a recorded sale is never refused (docs/decisions/0145). */
export function pointsWithin(before: number, points: number): number {
  return Math.min(Math.max(before + points, -pointsMax), pointsMax) - before;
}

/**
 * Writes the movements in their order; `points` are the locked customers' points before, and are moved on. Staff cannot take
 * a customer below 0, a void can (D221, D229).
 */
export async function movePoints(
  em: EntityManager,
  { storeId, now }: { storeId: number; now: Date },
  movements: PointsMovement[],
  points: Map<number, number>,
): Promise<void> {
  if (movements.length === 0) return;
  const rows = chainMovements(movements, points, pointsAfter);
  await sql(
    em,
    `insert into customers.loyalty_movements (store_id, customer_id, movement_type, points, points_before, points_after,
       reward_id, sale_id, reason, user_id, user_name, created_at)
     select $1, x.customer_id, x.movement_type, x.points, x.before, x.after, x.reward_id, x.sale_id, x.reason, x.user_id,
       x.user_name, $2
     from json_to_recordset($3::json) as x(n int, customer_id bigint, movement_type text, points bigint, before bigint,
       after bigint, reward_id bigint, sale_id bigint, reason text, user_id bigint, user_name text)
     order by x.n`,
    [storeId, now, JSON.stringify(rows)],
  );
  await sql(
    em,
    `update customers.customers c set loyalty_points = x.total, updated_at = $2
     from json_to_recordset($3::json) as x(id bigint, total bigint)
     where c.store_id = $1 and c.id = x.id and c.loyalty_points <> x.total`,
    [storeId, now, movedTotals(movements, points)],
  );
}

function pointsAfter(before: number, { movement_type, points, mayOwe }: PointsMovement): number {
  const after = before + points;
  if (after < 0 && points < 0 && movement_type !== 'void' && !mayOwe) throw invalid(['Loyalty points are not enough']);
  if (Math.abs(after) > pointsMax) throw invalid(['Loyalty points are too many']);
  return after;
}
