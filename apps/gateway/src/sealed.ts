/** The gateway's data that is encrypted under SECRET_KEYS, and the rows that name a pepper. */
import { countByKey, type SealedRows, sealedAnswers } from '@store/db';
import type { Caller } from '@store/rpc';
import type { NamingRows, Seal } from '@store/service';
import type { Gateway } from './gateway.ts';
import type { Pepper } from './keys/key-text.ts';

export const sealedRows: SealedRows[] = [
  {
    what: 'second factors',
    count: countByKey('gateway.staff_users', 'second_factor_secret'),
    select: `select id::text collate "C" as name, second_factor_secret as sealed, 'second factor of ' || id as associated
      from gateway.staff_users where second_factor_secret is not null and id::text collate "C" > $1 and second_factor_secret not like $2
      order by 1 limit $3`,
    update: 'update gateway.staff_users set second_factor_secret = $3 where id = $1::bigint and second_factor_secret = $2',
  },
  sealedAnswers('gateway', `format('idempotency:%s:%s:%s', store_id, split_part(actor, ':', 2), key)`),
];

/** Encrypts an answer that holds a secret, such as a new key, while it is stored for its Idempotency-Key (D185). */
export function sealAnswer({ config }: Pick<Gateway, 'config'>, caller: Caller): Seal {
  const associated = `idempotency:${caller.storeId}:${caller.actor.userId}:${caller.idempotency?.key ?? ''}`;
  return {
    close: (bytes) => Buffer.from(config.keyRing.seal(bytes, associated)),
    open: (bytes) => config.keyRing.open(Buffer.from(bytes).toString(), associated),
  };
}

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
