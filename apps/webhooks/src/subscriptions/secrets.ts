/**
 * Signing secrets: random per subscription, sealed at rest and bound to their row, by version. A
 * delivery is signed with the version of its fan-out on every attempt (Delivery 4, decision D135);
 * after a rotation the other one signs too, for 24 hours, in webhook-signature.
 */
import { randomBytes } from 'node:crypto';
import { type EntityManager, type KeyRing, sql } from '@store/db';

export const overlapHours = 24;
const secretBytes = 32;
const prefix = 'whsec_';

export interface SecretRow {
  version: number;
  sealed: string;
  /** When a newer version took its place; null: it signs what is fanned out now. */
  retired_at: string | null;
}

export interface SecretOwner {
  storeId: number;
  subscriptionId: string;
}

/** `whsec_` and 32 random bytes in base64 (decision D134). */
export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

export async function storeSecret(em: EntityManager, ring: KeyRing, owner: SecretOwner, version: number, secret: string): Promise<void> {
  await sql(em, 'insert into webhooks.subscription_secrets (subscription_id, version, sealed) values ($1, $2, $3)', [
    owner.subscriptionId,
    version,
    ring.seal(Buffer.from(secret), rowName(owner)),
  ]);
}

export function openSecret(ring: KeyRing, owner: SecretOwner, sealed: string): string {
  return ring.open(sealed, rowName(owner)).toString();
}

/** What a delivery is signed with, or why it cannot be. */
export type Signers = { secrets: [string, ...string[]] } | { unreadable: Error };

/**
 * The secret of `version` first, then every other that is in force at `now`. One of the others that cannot be opened is
 * left out: its part of webhook-signature is missing, and the delivery is still signed.
 */
export function openSecrets(ring: KeyRing, owner: SecretOwner, rows: SecretRow[], version: number, now: Date): Signers {
  const own = rows.find((row) => row.version === version);
  if (!own) return { unreadable: new Error(`there is no secret of version ${version}`) };
  const oldest = now.getTime() - overlapHours * 3_600_000;
  const others = rows.filter((row) => row !== own && (row.retired_at === null || new Date(row.retired_at).getTime() > oldest));
  const first = tryOpen(ring, owner, own);
  if (first instanceof Error) return { unreadable: first };
  return { secrets: [first, ...others.map((row) => tryOpen(ring, owner, row)).filter((secret) => typeof secret === 'string')] };
}

function tryOpen(ring: KeyRing, owner: SecretOwner, { sealed }: SecretRow): string | Error {
  try {
    return openSecret(ring, owner, sealed);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What a sealed secret is bound to: moved to another row it does not open. */
function rowName({ storeId, subscriptionId }: SecretOwner): string {
  return `${storeId}:${subscriptionId}`;
}
