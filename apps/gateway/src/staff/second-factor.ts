/** One-time codes of an authenticator app (TOTP, RFC 6238), and the recovery codes for when it is lost (D262). */
import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing, Row } from '@store/db';
import { Problem } from '@store/problem';
import { Secret, TOTP } from 'otpauth';
import { tables } from '../tables.ts';
import type { StaffUser } from './staff-user.ts';

const periodSeconds = 30;
/** Steps before and after the current one whose codes count: clocks differ, and typing takes time. */
const windowSteps = 1;
const recoveryCodesMade = 10;
/** 80 random bits: a fast hash protects them. */
const recoveryCodeBytes = 10;

export const factorColumns = ['second_factor_secret', 'second_factor_at', 'second_factor_step', 'recovery_codes'] as const;
export type FactorRow = Pick<Row<typeof StaffUser>, 'id' | 'store_id' | (typeof factorColumns)[number]>;

/** What proved the second factor; it is used up with the login. */
export type Proof = { step: number } | { recovery: string };

export const codeRequired = () => new Problem('unauthenticated', 'One-time code required');
export const codeRefused = () => new Problem('unauthenticated', 'Invalid one-time code');

export const boundTo = (userId: number): string => `second factor of ${userId}`;

export function newFactorSecret(): string {
  return new Secret().base32;
}

/** What an authenticator app reads from the QR code. */
export function factorUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return totp(secret, { issuer, label }).toString();
}

/** The time step that a code belongs to; undefined for a wrong one and for those of other times. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: windowSteps });
  return delta === null ? undefined : TOTP.counter({ period: periodSeconds, timestamp }) + delta;
}

function totp(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), period: periodSeconds, digits: 6, algorithm: 'SHA1' });
}

/** Ten codes such as k3jq-77ab-x2md-p4ow, each for one use. */
export function newRecoveryCodes(): string[] {
  const code = () => new Secret({ buffer: Uint8Array.from(randomBytes(recoveryCodeBytes)).buffer }).base32.toLowerCase();
  return Array.from({ length: recoveryCodesMade }, () => code().match(/.{4}/g)!.join('-'));
}

export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
    .digest('base64url');
}

/** The proof in `otp`: a code that is newer than the last one, or a recovery code; undefined: none. */
export function proofOf(ring: KeyRing, user: FactorRow, otp: string, now: Date): Proof | undefined {
  const code = otp.replaceAll(' ', '');
  if (/^\d{6}$/.test(code)) {
    const step = stepOf(ring.open(user.second_factor_secret!, boundTo(user.id)).toString(), code, now);
    return step !== undefined && step > user.second_factor_step ? { step } : undefined;
  }
  const recovery = recoveryHash(code);
  return user.recovery_codes.includes(recovery) ? { recovery } : undefined;
}

/** Uses the proof up; no row when another login, in any process, used it first. */
export function useUp({ id, store_id: storeId }: FactorRow, proof: Proof) {
  const user = tables.updateTable('staff_users').where('store_id', '=', storeId).where('id', '=', id).returning('id');
  if ('step' in proof) return user.set({ second_factor_step: proof.step }).where('second_factor_step', '<', proof.step);
  const { recovery } = proof;
  return user
    .set((set) => ({ recovery_codes: set.fn<string[]>('array_remove', ['recovery_codes', set.val(recovery)]) }))
    .where((where) => where(where.val(recovery), '=', where.fn.any('recovery_codes')));
}
