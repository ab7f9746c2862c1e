/**
 * SQL that is true while a subscription may receive: it exists, is active, and its key is neither
 * revoked nor expired (Delivery 6). A key is expired from the exact millisecond of its expiry.
 */
export function deliverable(alias: string, now: string): string {
  return `(${alias}.active and ${alias}.deleted_at is null and ${alias}.key_revoked_at is null
    and (${alias}.key_expires_at is null or ${alias}.key_expires_at > ${now}))`;
}
