/**
 * After a change of tiers, every customer of the store gets the tier that is now the highest reached, in batches, each with
 * its customer.updated events (D223). SQL text: a set-based write over all customers.
 */
import { type EntityManager, planByValues, sql } from '@store/db';
import { storeCaller } from '@store/service';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Customers } from '../customers.ts';
import { tables } from '../tables.ts';

const rankEveryMs = 1_000;
const batchMax = 500;

/** One store after the other; one that fails does not stop the others. */
export async function rankCustomers(app: Customers): Promise<void> {
  const due = await app.db.read(tables.selectFrom('tier_changes').select('store_id').orderBy('store_id'));
  const failures: unknown[] = [];
  for (const { store_id } of due) await rankStore(app, store_id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `the customers of ${failures.length} of ${due.length} stores could not be ranked`);
}

async function rankStore(app: Customers, storeId: number): Promise<void> {
  while (await app.db.unit(storeId, (em) => rankBatch(em, app, storeId)));
}

/** Whether there may be more. Customers are locked before their rank is determined, so that no sale is missed. */
async function rankBatch(em: EntityManager, app: Customers, storeId: number): Promise<boolean> {
  const [change] = await sql<{ ranked_to: number }>(
    em,
    'select ranked_to from customers.tier_changes where store_id = $1 for update skip locked',
    [storeId],
  );
  if (!change) return false;
  planByValues(em, batchMax);
  const misplaced = await sql<{ id: number }>(em, misplacedCustomers, [storeId, change.ranked_to, batchMax]);
  if (misplaced.length === 0) {
    await sql(em, 'delete from customers.tier_changes where store_id = $1', [storeId]);
    return false;
  }
  const ids = misplaced.map(({ id }) => id);
  await place(em, app, storeId, ids);
  await sql(em, 'update customers.tier_changes set ranked_to = $2 where store_id = $1', [storeId, ids.at(-1)]);
  return true;
}

/** The tier that customer c reaches; $1 is the store. */
const reached = `select t.id, t.name from customers.loyalty_tiers t
  where t.store_id = $1 and t.active and t.minimum_lifetime_spend <= c.lifetime_spend and t.minimum_visits <= c.visit_count
  order by t.level desc limit 1`;

const misplacedCustomers = `select c.id from customers.customers c left join lateral (${reached}) r on true
  where c.store_id = $1 and c.id > $2 and c.archived_at is null
    and (c.loyalty_tier_id is distinct from r.id or c.loyalty_tier is distinct from r.name)
  order by c.id limit $3 for update of c`;

/** Without loyalty in the plan no tier is shown, so nothing that is shown changes (D147). */
async function place(em: EntityManager, app: Customers, storeId: number, ids: number[]): Promise<void> {
  const caller = await storeCaller(em, app.db.schema, storeId);
  const isShown = caller.features.has('loyalty');
  const placed = await sql<{ id: number }>(
    em,
    `update customers.customers c set loyalty_tier_id = x.tier_id, loyalty_tier = x.tier,
       updated_at = case when $3 then $4 else c.updated_at end
     from (select c.id, r.id as tier_id, r.name as tier from customers.customers c left join lateral (${reached}) r on true
           where c.store_id = $1 and c.id = any ($2::bigint[])) x
     where c.store_id = $1 and c.id = x.id
       and (c.loyalty_tier_id is distinct from x.tier_id or c.loyalty_tier is distinct from x.tier)
     returning c.id`,
    [storeId, ids, isShown, app.db.clock.now()],
  );
  const changes = placed.map(({ id }) => ({ id, name: 'customer.updated' as const })).sort((a, b) => a.id - b.id);
  if (isShown) await emitCustomers(em, app, caller, changes);
}

export const tiersTimer = { name: 'tiers', everyMs: rankEveryMs, work: rankCustomers };
