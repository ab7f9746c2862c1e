/** What other apps copy of the gateway: stores, the names of staff, and revoked keys. */
import { sql, systemClock } from '@store/db';
import { revocationFact } from '@store/events';
import type { ServiceKeys } from '@store/rpc';
import { BadConfig, configOf, keysVariable, openTrust, type Republished, republishCommand } from '@store/service';
import { gateway } from './main.ts';
import { storeById, storeChanged } from './stores/store-changed.ts';
import { entities } from './tables.ts';

const stores = 'select id from gateway.stores order by id';

export const republishStores: Republished = {
  stores,
  next: async (em, storeId, after) => {
    if (after > 0) return [];
    const [row] = await sql(em, storeById(storeId).forNoKeyUpdate());
    return [{ id: storeId, event: storeChanged(row!) }];
  },
};

export const republishStaff: Republished = {
  stores,
  next: async (em, storeId, after, limit) => {
    const rows = await sql<{ id: number; name: string }>(
      em,
      'select id, name from gateway.staff_users where store_id = $1 and id > $2 order by id limit $3 for no key update',
      [storeId, after, limit],
    );
    return rows.map((staff) => ({
      id: staff.id,
      event: { name: 'staff_user.state', aggregate: `staff_user:${staff.id}`, internal: { staff } },
    }));
  },
};

/** Signed, as webhooks believes no other revocation. */
export const republishKeys = (keys: Pick<ServiceKeys, 'attest'>): Republished => ({
  stores,
  next: async (em, storeId, after, limit) => {
    const rows = await sql<{ id: number; revoked_at: Date }>(
      em,
      `select id, revoked_at from gateway.api_keys where store_id = $1 and id > $2 and revoked_at is not null
       order by id limit $3 for no key update`,
      [storeId, after, limit],
    );
    return rows.map(({ id, revoked_at }) => {
      const fact = { key_id: id, revoked_at: revoked_at.toISOString() };
      const key = { ...fact, word: keys.attest(revocationFact(storeId, fact)) };
      return { id, event: { name: 'key.revoked', aggregate: `key:${id}`, internal: { key } } };
    });
  },
});

export async function republish(args: string[]): Promise<boolean> {
  const config = configOf(gateway, process.env);
  const ring = keysVariable({ caller: 'gateway', called: 'webhooks' });
  // Where all apps are one process its keys live there alone.
  if (args.includes('keys') && !config[ring] && !config.SERVICE_KEYS) throw new BadConfig(`${ring} is needed to sign revocations.`);
  const { keys } = openTrust('gateway', config, systemClock).toward('webhooks');
  const kinds = { stores: republishStores, staff: republishStaff, keys: republishKeys(keys) };
  return republishCommand({ app: 'gateway', entities, kinds }, args);
}
