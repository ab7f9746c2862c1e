/** The whole key of a row. An id is unique over all stores, and an index finds the row by the store before it (D279). */
export interface RowKey {
  storeId: number;
  id: number;
}

/** As parameters of `unnest($1::bigint[], $2::bigint[]) as x(store_id, id)`. */
export const keyValues = (keys: readonly RowKey[]): [stores: number[], ids: number[]] => [
  keys.map(({ storeId }) => storeId),
  keys.map(({ id }) => id),
];
