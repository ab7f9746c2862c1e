import { Socket } from 'node:net';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Problem, texts } from '@store/problem';
import { testDatabase } from '@store/testbed';
import { admin, db, meeting, shareDatabase } from '../test/database.ts';
import { afterCommit, afterRollback, openDb } from './db.ts';
import { isUniqueViolation, sqlState } from './pg/database-errors.ts';
import { planByValues, sql, sqlUnawaited } from './sql.ts';
import { isoTime, likeLiteral } from './text.ts';

shareDatabase('create table items (id int primary key, quantity int not null)', { poolMax: 3 });
beforeEach(async () => {
  await admin.query('truncate shop.items; insert into shop.items select n, 10 from generate_series(1, 3) n');
});

const quantities = async () => (await admin.query('select quantity from shop.items order by id')).rows.map((row) => row.quantity as number);

describe('a unit', () => {
  test('that throws leaves nothing behind, and runs only the hooks of its end', async () => {
    const ran: string[] = [];
    const failing = db.unit(1, async (em) => {
      await sql(em, 'update shop.items set quantity = 0');
      afterCommit(em, () => void ran.push('committed'));
      afterRollback(em, () => void ran.push('rolled back'));
      throw new Problem('invalid', 'no');
    });
    await expect(failing).rejects.toMatchObject({ kind: 'invalid', message: 'no' });
    expect(await quantities()).toEqual([10, 10, 10]);
    expect(ran).toEqual(['rolled back']);
  });

  test('runs its hooks only when others can see its changes', async () => {
    let seen: number[] | undefined;
    let look: Promise<number[]> | undefined;
    await db.unit(1, async (em) => {
      await sql(em, 'update shop.items set quantity = 11 where id = 1');
      afterCommit(em, () => {
        look = quantities();
      });
      seen = await quantities();
    });
    expect(seen).toEqual([10, 10, 10]);
    expect(await look).toEqual([11, 10, 10]);
  });

  test('ends after its hooks, and they hold no connection', async () => {
    const ended: number[] = [];
    const all = meeting(3);
    // As many units as there are connections.
    const units = [1, 2, 3].map((n) =>
      db.unit(1, async (em) => {
        afterCommit(em, async () => {
          await all();
          await quantities();
          ended.push(n);
        });
        return n;
      }),
    );
    expect(await units[0]).toBe(1);
    expect(ended).toContain(1);
    await Promise.all(units);
  });

  test.each([
    ['its last write', sqlUnawaited],
    ['a statement', sql],
  ])('that loses a deadlock at %s runs again, and both changes are stored', async (_what, write) => {
    const both = meeting(2);
    let runs = 0;
    const bump = 'update shop.items set quantity = quantity + 1 where id = $1';
    const move = (first: number, second: number) => {
      let attempt = 0;
      return db.unit(1, async (em) => {
        attempt += 1;
        runs += 1;
        await sql(em, bump, [first]);
        if (attempt === 1) await both();
        await write(em, bump, [second]);
      });
    };
    await Promise.all([move(1, 2), move(2, 1)]);
    expect(await quantities()).toEqual([12, 12, 10]);
    // The loser may run again before the winner has committed, and lose once more.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  test('turns a failed statement into `Database error occurred`, without its SQL (D175)', async () => {
    const failing = db.unit(1, (em) => sql(em, 'select * from shop.nothing_of_the_kind'));
    await expect(failing).rejects.toMatchObject({ kind: 'database', message: texts.database, extra: {} });
  });

  test('whose failed statement was caught is rolled back, and says so', async () => {
    const unit = db.unit(1, async (em) => {
      await sql(em, 'update shop.items set quantity = 0');
      await sql(em, 'select 1 / 0').catch(() => undefined);
    });
    await expect(unit).rejects.toThrow('was rolled back');
    expect(await quantities()).toEqual([10, 10, 10]);
  });

  test('sends its last write with the commit and its first statement with the begin', async () => {
    await db.unit(1, (em) => sql(em, 'select 1'));
    const writes = (['_write', '_writev'] as const).map((name) => jest.spyOn(Socket.prototype, name));
    const written = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const seen: number[] = [];
    await db.unit(1, async (em) => {
      await sql(em, 'select 1');
      seen.push(written());
      sqlUnawaited(em, 'update shop.items set quantity = $1 where id = 1', [20]);
    });
    seen.push(written());
    jest.restoreAllMocks();
    expect(seen).toEqual([1, 2]);
    expect(await quantities()).toEqual([20, 10, 10]);
  });

  test('whose unawaited write fails is rolled back, throws it and runs no hook', async () => {
    const ran: string[] = [];
    const unit = db.unit(1, async (em) => {
      await sql(em, 'update shop.items set quantity = 0');
      sqlUnawaited(em, 'insert into shop.items values ($1, 1)', [1]);
      afterCommit(em, () => void ran.push('committed'));
    });
    const error = await unit.catch((thrown: unknown) => thrown);
    expect([isUniqueViolation(error), sqlState(error)]).toEqual([true, '23505']);
    expect(ran).toEqual([]);
    expect(await quantities()).toEqual([10, 10, 10]);
  });

  test('throws the first failure, not what it made of the statements after it', async () => {
    const broken = (more: (em: EntityManager) => Promise<unknown>) =>
      db
        .unit(1, async (em) => {
          sqlUnawaited(em, 'insert into shop.items values ($1, 1)', [1]);
          await more(em);
        })
        .catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(await broken((em) => sql(em, 'select 1')))).toBe(true);
    expect(isUniqueViolation(await broken((em) => sql(em, 'select 1').catch(() => undefined)))).toBe(true);
    expect(isUniqueViolation(await broken(() => Promise.reject(new Problem('invalid', 'no'))))).toBe(true);
    expect(await quantities()).toEqual([10, 10, 10]);
  });

  test('takes no statement after its end, when it would be on its own', async () => {
    const ended = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await db.unit(1, async (em) => {
      late = ended.promise.then(() => sql(em, 'update shop.items set quantity = 0'));
    });
    ended.resolve();
    await expect(late).rejects.toThrow('is over');
    expect(await quantities()).toEqual([10, 10, 10]);
  });
});

describe('the pool', () => {
  test('survives the loss of every backend in mid-transaction (kysely issue 1990)', async () => {
    for (let round = 1; round <= 2; round++) {
      const all = meeting(4);
      const pids: number[] = [];
      const lost = [1, 2, 3].map((id) =>
        db.unit(1, async (em) => {
          pids.push((await sql<{ pid: number }>(em, 'select pg_backend_pid() as pid'))[0]!.pid);
          await all();
          await all();
          await sql(em, 'update shop.items set quantity = 0 where id = $1', [id]);
        }),
      );
      const settled = Promise.allSettled(lost);
      while (pids.length < 3) await admin.query('select 1');
      await admin.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [pids]);
      await all();
      for (const outcome of await settled) expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'database' } });
      await Promise.all([1, 2, 3, 4, 5, 6].map(() => db.ping()));
      await Promise.all([1, 2, 3].map((id) => db.unit(1, (em) => sql(em, 'update shop.items set quantity = 20 where id = $1', [id]))));
      expect(await quantities()).toEqual([20, 20, 20]);
    }
  });

  test('reports a lost database as a database Problem', async () => {
    const gone = await testDatabase('db', async () => undefined);
    const orphan = await openDb({ url: gone.url, schema: 'shop', entities: [], clock: db.clock });
    await orphan.ping();
    await gone.close();
    await expect(orphan.ping()).rejects.toMatchObject({ kind: 'database', message: texts.database });
    await orphan.close();
  });
});

describe('sql', () => {
  test('binds values and never writes them into the text', async () => {
    const hostile = `'; drop table shop.items; --`;
    const row = await db.unit(1, async (em) => (await sql<{ text: string }>(em, 'select $1::text as text', [hostile]))[0]!);
    expect(row.text).toBe(hostile);
    expect(await db.read('select $1::text as text', [hostile])).toEqual([{ text: hostile }]);
  });

  test('prepares a text once per connection, and plans it once in a unit too', async () => {
    const text = 'select count(*) as n from generate_series(1, $1::int)';
    const plans = 'select generic_plans, custom_plans from pg_prepared_statements where statement = $1';
    await db.unit(0, async (em) => {
      for (const many of [1, 2, 3]) expect(await sql(em, text, [many])).toEqual([{ n: String(many) }]);
      expect((await sql(em, plans, [text]))[0]).toEqual({ generic_plans: '3', custom_plans: '0' });
    });
    const [after] = await db.read<{ plan_cache_mode: string }>('show plan_cache_mode');
    expect(after!.plan_cache_mode).toBe('auto');
  });

  test('planByValues plans later statements for their values', async () => {
    const text = 'select count(*) as n from generate_series(1, $1::int + 0)';
    await db.unit(0, async (em) => {
      planByValues(em);
      await sql(em, text, [1]);
      const [prepared] = await sql(em, 'select custom_plans from pg_prepared_statements where statement = $1', [text]);
      expect(prepared).toEqual({ custom_plans: '1' });
    });
  });

  test('outside a unit is refused', async () => {
    await expect(sql({ getTransactionContext: () => undefined } as never, 'select 1')).rejects.toThrow('inside a unit');
  });

  test.each([
    ['100% cotton', '100%', true],
    ['100 cotton', '100%', false],
    ['a_b', 'a_b', true],
    ['axb', 'a_b', false],
    ['a\\b', 'a\\b', true],
  ])('D57: by likeLiteral, whether %s has %s is %s', async (text, pattern, hit) => {
    expect(await db.read(`select $1::text like '%' || $2 || '%' as hit`, [text, likeLiteral(pattern)])).toEqual([{ hit }]);
  });
});

test.each([
  ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
  ['2026-11-21 09:30:00.12+00', '2026-11-21T09:30:00.120Z'],
  ['2026-11-21T09:30:00.123456+00:00', '2026-11-21T09:30:00.123Z'],
  ['2026-11-21 09:30:00.5-03:30', '2026-11-21T13:00:00.500Z'],
])('D35: %s is %s', (raw, iso) => {
  expect(isoTime(raw)).toBe(iso);
  expect(isoTime(new Date(iso))).toBe(iso);
});
