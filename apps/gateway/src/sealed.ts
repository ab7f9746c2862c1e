/** The gateway's data that is encrypted under SECRET_KEYS, and the rows that name a pepper. */
import { type SealedRows, sealedAnswers } from '@store/db';
import type { NamingRows } from '@store/service';
import type { Pepper } from './keys/key-text.ts';

/** The answer to an admin that contains a new key (D185). */
export const sealedRows: SealedRows[] = [
  sealedAnswers('gateway', `format('idempotency:%s:%s:%s', store_id, split_part(actor, ':', 2), key)`),
];

/** Valid keys; each moves to the first pepper when it is next used. */
export function hashedKeys(peppers: Pepper[]): NamingRows {
  return {
    setting: 'KEY_PEPPERS',
    ids: peppers.map(({ id }) => id),
    what: 'API keys',
    count: `select pepper_id as id, count(*)::int as rows from gateway.api_keys
      where revoked_at is null and (expires_at is null or expires_at > clock_timestamp()) group by 1`,
  };
}
