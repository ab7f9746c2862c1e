/** What must be true of the databases after a fault: no acknowledged change is lost, none happened twice. */
import { expect } from '@jest/globals';
import { until } from '@store/testbed/until';
import type { FleetWorld } from '../kit/fleet-world.ts';
import type { Load } from './load.ts';

const sentAtOnce = 20;
const repeatedMax = 100;
const drainedWithinMs = 120_000;

/** Products whose stock catalog does not know yet. */
const differingStock = `select p.id, p.stock, i.quantity from inventory.stock_items i join catalog.products p on p.id = i.product_id
  where p.stock <> i.quantity or p.stock_version <> i.version`;

/** Waits until every event is published, the audit trail is complete, and catalog knows the stock. */
export async function settled(world: FleetWorld): Promise<void> {
  await until(async () => {
    const { rows } = await world.database.query(
      `select (select count(*) from catalog.outbox) + (select count(*) from inventory.outbox) + (select count(*) from gateway.outbox) as waiting,
              (select count(*) from catalog.products) + (select count(*) from inventory.stock_adjustments)
              - (select count(*) from gateway.audit_entries where action in ('product.create', 'stock_adjustment.create')) as unaudited,
              (select count(*) from (${differingStock}) as differing) as behind`,
    );
    return Number(rows[0].waiting) === 0 && Number(rows[0].unaudited) <= 0 && Number(rows[0].behind) === 0;
  }, drainedWithinMs);
}

/**
 * Checks the history of a load (P1, P17): a change that was answered with 201 exists once,
 * a refused one does not, and one with an unknown outcome exists at most once; each has one audit entry; the
 * ledger is a chain; and catalog's copy of the stock equals inventory's.
 */
export async function expectNothingLostOrDoubled(world: FleetWorld, load: Load): Promise<void> {
  const marks = await marksOf(world);
  const acknowledged = load.writes.filter(({ status }) => status === 201);
  expect(acknowledged.filter(({ mark }) => marks.get(mark) !== 1).map(({ mark }) => mark)).toEqual([]);
  expect([...marks].filter(([, times]) => times > 1)).toEqual([]);
  const refused = load.writes.filter(({ status }) => status >= 400 && status < 500);
  expect(refused.filter(({ mark }) => marks.has(mark))).toEqual([]);
  await expectOneEntryEach(world);
  await expectLedgerChains(world);
}

/** Repeats writes with an unknown outcome under their Idempotency-Keys: each then exists once, whether it had happened or not. */
export async function expectRepeatable(world: FleetWorld, load: Load): Promise<void> {
  const all = load.writes.filter(({ status }) => status === 500 || status === 0);
  const doubtful = all.filter((_, n) => n % Math.ceil(all.length / repeatedMax) === 0);
  const again: number[] = [];
  for (let start = 0; start < doubtful.length; start += sentAtOnce) {
    const some = doubtful.slice(start, start + sentAtOnce);
    const answers = some.map(({ path, request, key, mark }) => world.call('POST', path, { key, body: request, idempotencyKey: mark }));
    again.push(...(await Promise.all(answers)).map(({ status }) => status));
  }
  expect(again.filter((status) => status !== 201)).toEqual([]);
  const marks = await marksOf(world);
  expect(doubtful.filter(({ mark }) => marks.get(mark) !== 1)).toEqual([]);
}

async function marksOf(world: FleetWorld): Promise<Map<string, number>> {
  const { rows } = await world.database.query<{ mark: string; times: number }>(
    `select mark, count(*)::int as times from (
       select name as mark from catalog.products where name like 'w-%' union all
       select reason from inventory.stock_adjustments where reason like 'w-%') as marked
     group by mark`,
  );
  return new Map(rows.map(({ mark, times }) => [mark, times]));
}

async function expectOneEntryEach(world: FleetWorld): Promise<void> {
  const { rows } = await world.database.query(
    `with changes as (
       select 'Product' as type, id from catalog.products union all select 'StockAdjustment', id from inventory.stock_adjustments)
     select type, changes.id, count(e.id)::int as entries from changes
     left join gateway.audit_entries e on e.resource_type = type and e.resource_id = changes.id
       and e.action in ('product.create', 'stock_adjustment.create')
     group by type, changes.id having count(e.id) <> 1`,
  );
  expect(rows).toEqual([]);
}

async function expectLedgerChains(world: FleetWorld): Promise<void> {
  const { rows: broken } = await world.database.query(
    `select * from (
       select product_id, id, quantity_before, quantity_after, quantity_change,
              lag(quantity_after, 1, 0) over (partition by product_id order by id) as previous from inventory.stock_adjustments) as chain
     where quantity_before <> previous or quantity_after <> quantity_before + quantity_change`,
  );
  expect(broken).toEqual([]);
  const { rows: differing } = await world.database.query(differingStock);
  expect(differing).toEqual([]);
}

/** Process ids of the members, undefined of one that does not run: the same afterwards where none was restarted. */
export const pidsOf = ({ fleet }: FleetWorld) => fleet.members.map(({ pid, running }) => (running ? pid : undefined));

/** Whatever a test did to the processes. */
export function startAgain({ fleet }: FleetWorld): void {
  for (const member of fleet.members) {
    member.signal('SIGCONT');
    if (!member.running) member.start();
  }
}
