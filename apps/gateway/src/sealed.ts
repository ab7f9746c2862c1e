/** The gateway's data that is encrypted under SECRET_KEYS, and the rows that name a pepper. */
import { countByKey, type EntityManager, type SealedRows, sealedAnswers } from '@store/db';
import { answerSeal, change, type NamingRows } from '@store/service';
import type { Gateway, GatewayCall } from './gateway.ts';
import type { Pepper } from './keys/key-text.ts';

const name = `json_build_array(store_id, id)::text collate "C"`;

export const sealedRows: SealedRows[] = [
  {
    what: 'second factors',
    count: countByKey('gateway.staff_users', 'second_factor_secret'),
    select: `select ${name} as name, second_factor_secret as sealed, 'second factor of ' || id as associated
      from gateway.staff_users where second_factor_secret is not null and ${name} > $1 and second_factor_secret not like $2
      order by 1 limit $3`,
    update: `update gateway.staff_users set second_factor_secret = $3
      where store_id = ($1::json->>0)::bigint and id = ($1::json->>1)::bigint and second_factor_secret = $2`,
  },
  sealedAnswers('gateway', `format('idempotency:%s:%s:%s', store_id, split_part(actor, ':', 2), key)`),
];

/** A change whose answer holds a secret, such as a new key: it is stored encrypted for its Idempotency-Key (D185). */
export function changeSealed<Message extends object>(app: Gateway, call: GatewayCall, work: (em: EntityManager) => Promise<Message>) {
  return change<Message>(app, call, work, { seal: answerSeal(app.config.keyRing, call.caller, call.caller.actor.userId) });
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
