/** Connections are handed out store by store in turn (D256), and what nobody waits for ends in PostgreSQL (D257). */
import { afterEach, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { Asker, askedBy, NobodyWaits } from '@store/shares/asker';
import pg from 'pg';
import { admin, db, nextRound, shareDatabase, url } from '../../test/database.ts';
import { sql } from '../sql.ts';

shareDatabase('create table public.numbers (n int primary key)', { poolMax: 8 });
afterEach(async () => {
  while (db.pool.inUse > 0) await nextRound();
});

const soon = () => Date.now() + 60_000;
/** Sessions that run a statement of this text. */
const running = async (text: string) => {
  const active = `select pid from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid() and datname = current_database()`;
  return (await admin.query(active, [`%${text}%`])).rows.length;
};
const until = async (text: string, count: number) => {
  while ((await running(text)) !== count) await nextRound();
};

const sleepInUnit = () => db.unit(1, (em) => sql(em, 'select pg_sleep(60)'));
const sleepInRead = () => db.read('select pg_sleep(60)');

/** Statements of one store that take for ever, and what ends them. */
function flood(store: number, count: number, sleep: () => Promise<unknown> = sleepInUnit) {
  const askers = Array.from({ length: count }, () => new Asker(store, soon()));
  const ended = askers.map((asker) => askedBy(asker, sleep).catch((error: unknown) => error));
  return {
    end: async () => {
      for (const asker of askers) asker.leave();
      return Promise.all(ended);
    },
  };
}

describe('connections', () => {
  test('one store with any number of slow statements leaves a quarter free for another', async () => {
    const a = flood(1, 50);
    await until('pg_sleep', 6);
    const works = [
      () => db.read('select 1 as n'),
      () => db.read('select 1 as n', [], { short: true }),
      () => db.unit(2, (em) => sql(em, 'select 1 as n')),
    ];
    for (const work of works) expect(await askedBy(new Asker(2, soon()), work)).toEqual([{ n: 1 }]);
    expect(await db.read('select 1 as n')).toEqual([{ n: 1 }]);
    expect([db.pool.inUse, db.pool.waiting]).toEqual([6, 44]);
    expect((await a.end()).every((error) => error instanceof Error)).toBe(true);
    await until('pg_sleep', 0);
  });

  test('a store that waits comes before one that holds more than a quarter', async () => {
    const [a, b] = [flood(1, 20), flood(2, 20)];
    await until('pg_sleep', 8);
    const third = askedBy(new Asker(3, soon()), () => db.read('select 1 as n'));
    const another = askedBy(new Asker(1, soon()), () => db.read('select 1 as n'));
    while (db.pool.waiting < 34) await nextRound();
    let isLate = false;
    void another.then(() => {
      isLate = true;
    });
    await b.end();
    await third;
    expect(isLate).toBe(false);
    await a.end();
    await another;
  });

  test("a short read shares no connection with another store's, which may be slow", async () => {
    const slow = new Asker(1, soon());
    const sleeps = askedBy(slow, () => db.read('select pg_sleep(60)', [], { short: true })).catch((error: unknown) => error);
    expect(await askedBy(new Asker(2, soon()), () => db.read('select 1 as n', [], { short: true }))).toEqual([{ n: 1 }]);
    slow.leave();
    expect(await sleeps).toMatchObject({ kind: 'database' });
  });

  test('none in time is told when to come again: nothing was done', async () => {
    const a = flood(1, 6);
    await until('pg_sleep', 6);
    const before = db.pool.timeouts;
    const late = askedBy(new Asker(1, Date.now()), () => db.read('select 1'));
    await expect(late).rejects.toMatchObject({ kind: 'database', message: texts.database, extra: { headers: { 'Retry-After': '5' } } });
    expect(db.pool.timeouts).toBe(before + 1);
    await a.end();
  });
});

describe('long reads', () => {
  test('run few at a time: one store leaves some to another, and to its own short read', async () => {
    const a = flood(1, 20, sleepInRead);
    while (db.pool.inUse > 1) await nextRound();
    await until('pg_sleep', 1);
    expect(await askedBy(new Asker(1, soon()), () => db.read('select 1 as n'))).toEqual([{ n: 1 }]);
    const b = flood(2, 20, sleepInRead);
    await until('pg_sleep', 2);
    while (db.pool.inUse > 2) await nextRound();
    expect(await running('pg_sleep')).toBe(2);
    await a.end();
    await b.end();
    await until('pg_sleep', 0);
  });

  test('of a statement that one waits for already are not even begun', async () => {
    const a = flood(1, 3, sleepInRead);
    while (db.pool.inUse > 1) await nextRound();
    await until('pg_sleep', 1);
    const b = flood(1, 5, sleepInRead);
    for (let n = 0; n < 10; n++) await nextRound();
    expect(db.pool.inUse).toBe(1);
    await a.end();
    await b.end();
    await until('pg_sleep', 0);
  });

  test('of one store rest three times as long as they took, while another calls', async () => {
    const another = setInterval(() => void askedBy(new Asker(2, soon()), async () => undefined), 100);
    const text = 'select extract(epoch from clock_timestamp())::float8 as "beganAt", pg_sleep(0.2)';
    const long = () => askedBy(new Asker(1, soon()), () => db.read<{ beganAt: number }>(text));
    await long();
    const [first, second] = (await Promise.all([long(), long()])).map(([row]) => row!.beganAt).sort((a, b) => a - b);
    clearInterval(another);
    expect(second! - first!).toBeGreaterThanOrEqual(0.8);
  });

  test('are all answered, store by store in turn', async () => {
    const long = (store: number) => askedBy(new Asker(store, soon()), () => db.read('select pg_sleep(0.2)::text as done'));
    const order: number[] = [];
    const answers = [1, 1, 1, 2].map((store) => long(store).finally(() => order.push(store)));
    expect(await Promise.all(answers)).toEqual(Array(4).fill([{ done: '' }]));
    expect(order.indexOf(2)).toBeLessThan(3);
  });
});

describe('what nobody waits for', () => {
  test('ends in PostgreSQL: a read, short reads, and a unit with what it has written', async () => {
    const asker = new Asker(1, soon());
    const works = [
      () => db.read('select pg_sleep(60)'),
      () => Promise.all([1, 2].map(() => db.read('select pg_sleep(60)', [], { short: true }))),
      () =>
        db.unit(1, async (em) => {
          await sql(em, 'insert into numbers values (1)');
          await sql(em, 'select pg_sleep(60)');
        }),
    ];
    const outcomes = askedBy(asker, () => Promise.allSettled<unknown>(works.map((work) => work())));
    await until('pg_sleep', 3);
    asker.leave();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await until('pg_sleep', 0);
    expect((await admin.query('select n from numbers')).rows).toEqual([]);
  });

  test('sends no further statement, takes no connection and leaves the line', async () => {
    const asker = new Asker(1, soon());
    const stepped = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const outcomes = askedBy(asker, async () => {
      const unit = db.unit(1, async (em) => {
        await sql(em, 'select 1');
        stepped.resolve();
        await left.promise;
        await sql(em, 'insert into numbers values (2)');
      });
      await left.promise;
      return Promise.allSettled<unknown>([unit, db.read('select 1'), db.unit(1, async () => undefined)]);
    });
    await stepped.promise;
    asker.leave();
    left.resolve();
    expect((await outcomes).map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(3).fill(new NobodyWaits()));
    expect((await admin.query('select n from numbers')).rows).toEqual([]);
    const a = flood(1, 10);
    await until('pg_sleep', 6);
    expect(db.pool.waiting).toBe(4);
    await a.end();
    expect(db.pool.waiting).toBe(0);
  });

  test('a commit that is sent is not cancelled: it could be kept without its standby', async () => {
    const asker = new Asker(1, soon());
    await admin.query(
      `create function public.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$`,
    );
    await admin.query(
      `create constraint trigger slow after insert on numbers deferrable initially deferred for each row execute function public.slow()`,
    );
    const unit = askedBy(asker, () => db.unit(1, (em) => sql(em, 'insert into numbers values (3)')));
    await until('commit', 1);
    asker.leave();
    await unit;
    expect((await admin.query('select n from numbers')).rows).toEqual([{ n: 3 }]);
    await admin.query('drop trigger slow on numbers');
  });

  test('a request to cancel hits no later statement, at whatever moment it comes', async () => {
    const pids = new Set<number>();
    for (let round = 0; round < 60; round++) {
      const asker = new Asker(1, soon());
      // Ends by itself at about the time when it is cancelled.
      const short = askedBy(asker, () => db.read('select pg_backend_pid() as pid, pg_sleep($1::float8)', [round / 20_000]));
      setTimeout(() => asker.leave(), round % 4);
      await short.catch(() => undefined);
      const rows = await db.read<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.003)');
      pids.add(rows[0]!.pid);
    }
    expect(pids.size).toBeGreaterThan(1);
  });

  test('ends when the process is gone that asked', async () => {
    const client = new pg.Client({ connectionString: url, options: '-c client_connection_check_interval=100ms' });
    client.on('error', () => undefined);
    await client.connect();
    void client.query('select pg_sleep(61)').catch(() => undefined);
    await until('pg_sleep(61)', 1);
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await until('pg_sleep(61)', 0);
    const [set] = await db.read(
      `select current_setting('client_connection_check_interval') as gone, current_setting('statement_timeout') as most`,
    );
    expect(set).toEqual({ gone: '1s', most: '20s' });
  });
});
