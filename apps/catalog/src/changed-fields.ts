/** What an update changed, for the audit trail: the same keys before and after. */
export interface Difference {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** The fields of `after` that differ from `before`; undefined: none does. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Difference | undefined {
  const was = before as Record<string, unknown>;
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]));
  if (changed.length === 0) return undefined;
  return { before: Object.fromEntries(changed.map(([name]) => [name, was[name]])), after: Object.fromEntries(changed) };
}
