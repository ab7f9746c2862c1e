/** The data of webhooks that is encrypted under SECRET_KEYS. */
import { countByKey, type SealedRows, sealedAnswers } from '@store/db';

const name = `json_build_array(k.store_id, k.subscription_id, k.version)::text collate "C"`;

export const sealedRows: SealedRows[] = [
  {
    what: 'signing secrets',
    count: countByKey('webhooks.subscription_secrets', 'sealed'),
    select: `select ${name} as name, k.sealed, k.store_id || ':' || k.subscription_id as associated from webhooks.subscription_secrets k
      where ${name} > $1 and k.sealed not like $2 order by 1 limit $3`,
    update: `update webhooks.subscription_secrets set sealed = $3
      where store_id = ($1::json->>0)::bigint and subscription_id = ($1::json->>1)::bigint and version = ($1::json->>2)::int
        and sealed = $2`,
  },
  sealedAnswers('webhooks', `format('idempotency:%s:%s:%s', store_id, actor, key)`),
];
