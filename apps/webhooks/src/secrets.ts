/**
 * Signing secrets, encrypted and bound to their row, by version. A delivery is signed with the version of its fan-out on every attempt
 * (Delivery 4, D135); after a rotation the other secret signs too, for 24 hours, in webhook-signature.
 */
import { randomBytes } from 'node:crypto';
import { type EntityManager, type KeyRing, type Row, sql } from '@store/db';
import { secretPrefix } from './receivers/sign.ts';
import type { SubscriptionSecret } from './subscriptions/subscription-secret.ts';
import { tables } from './tables.ts';

export const overlapHours = 24;
const secretBytes = 32;

export interface SealedSecret extends Pick<Row<typeof SubscriptionSecret>, 'version' | 'sealed'> {
  retired_at: string | null;
}

interface SecretOwner {
  storeId: number;
  subscriptionId: number;
}

/** `whsec_` and 32 random bytes in base64 (D134). */
export function newSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

export async function storeSecret(em: EntityManager, ring: KeyRing, owner: SecretOwner, version: number, secret: string): Promise<void> {
  const sealed = ring.seal(Buffer.from(secret), rowName(owner));
  await sql(
    em,
    tables.insertInto('subscription_secrets').values({ store_id: owner.storeId, subscription_id: owner.subscriptionId, version, sealed }),
  );
}

/** Finds the encrypted secret of that version. */
export function secretOf({ storeId, subscriptionId }: SecretOwner, version: number) {
  const ofStore = tables.selectFrom('subscription_secrets').select('sealed').where('store_id', '=', storeId);
  return ofStore.where('subscription_id', '=', subscriptionId).where('version', '=', version);
}

/** From now on only the version that is stored next signs new deliveries. */
export async function retireSecrets(em: EntityManager, { storeId, subscriptionId }: SecretOwner, now: Date): Promise<void> {
  const inForce = tables.updateTable('subscription_secrets').set({ retired_at: now }).where('retired_at', 'is', null);
  await sql(em, inForce.where('store_id', '=', storeId).where('subscription_id', '=', subscriptionId));
}

export async function forgetSecrets(em: EntityManager, { storeId, subscriptionId }: SecretOwner): Promise<void> {
  const ofStore = tables.deleteFrom('subscription_secrets').where('store_id', '=', storeId);
  await sql(em, ofStore.where('subscription_id', '=', subscriptionId));
}

export function openSecret(ring: KeyRing, owner: SecretOwner, sealed: string): string {
  return ring.open(sealed, rowName(owner)).toString();
}

/** The secrets that sign a delivery, or why it cannot be signed. */
export type Signers = { secrets: [string, ...string[]] } | { unreadable: Error };

/** The secret of `version` first, then the others in force. One of those that cannot be decrypted is left out of webhook-signature. */
export function openSecrets(ring: KeyRing, owner: SecretOwner, secrets: SealedSecret[], version: number, now: Date): Signers {
  const own = secrets.find((row) => row.version === version);
  if (!own) return { unreadable: new Error(`there is no secret of version ${version}`) };
  const oldest = now.getTime() - overlapHours * 3_600_000;
  const others = secrets.filter((row) => row !== own && (row.retired_at === null || new Date(row.retired_at).getTime() > oldest));
  const first = tryOpen(ring, owner, own);
  if (first instanceof Error) return { unreadable: first };
  return { secrets: [first, ...others.map((row) => tryOpen(ring, owner, row)).filter((secret) => typeof secret === 'string')] };
}

function tryOpen(ring: KeyRing, owner: SecretOwner, { sealed }: SealedSecret): string | Error {
  try {
    return openSecret(ring, owner, sealed);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The data to which an encrypted secret is bound: in another row it cannot be decrypted. */
function rowName({ storeId, subscriptionId }: SecretOwner): string {
  return `${storeId}:${subscriptionId}`;
}
