/** SQL: the subscription exists, is active, and its key is neither revoked nor expired, to the millisecond (Delivery 6). */
export function deliverable(alias: string, now: string): string {
  return `(${alias}.active and ${alias}.deleted_at is null and ${alias}.key_revoked_at is null
    and (${alias}.key_expires_at is null or ${alias}.key_expires_at > ${now}))`;
}
