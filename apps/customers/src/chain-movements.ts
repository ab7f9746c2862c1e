/** Ledgers of customers: each row continues from the row before it, under the lock of the customer's row (docs/decisions/0106). */

export interface Movement {
  customer_id: number;
  user: { id: number; name: string } | null;
}

/** A movement as its row has it, in the order in which it is written. */
type Chained<M extends Movement, Total> = Omit<M, 'user'> & {
  n: number;
  before: Total;
  after: Total;
  user_id: number | null;
  user_name: string | null;
};

/** The rows of the movements. `totals` are the locked customers' totals before, and are moved on. */
export function chainMovements<M extends Movement, Total>(
  movements: M[],
  totals: Map<number, Total>,
  totalAfter: (before: Total, movement: M) => Total,
): Chained<M, Total>[] {
  return movements.map((movement, n) => {
    const before = totals.get(movement.customer_id)!;
    const after = totalAfter(before, movement);
    totals.set(movement.customer_id, after);
    const { user, ...columns } = movement;
    return { ...columns, n, before, after, user_id: user?.id ?? null, user_name: user?.name ?? null };
  });
}

/** The totals of the customers that moved, for the statement that writes them. */
export function movedTotals<Total>(movements: Movement[], totals: Map<number, Total>): string {
  const ids = [...new Set(movements.map(({ customer_id }) => customer_id))];
  return JSON.stringify(ids.map((id) => ({ id, total: totals.get(id) })));
}
