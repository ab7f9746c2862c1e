interface Versioned {
  store_id: number;
  id: number;
  version: number;
}

/** The newest version of each copied record, once: an event that is sent again may arrive after a newer one. */
export function newestOf<Row extends Versioned>(rows: Row[]): Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.store_id}:${row.id}`;
    if (row.version >= (newest.get(key)?.version ?? 0)) newest.set(key, row);
  }
  return [...newest.values()];
}
