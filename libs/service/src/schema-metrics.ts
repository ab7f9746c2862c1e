/** Pending rows of an app's schema, read over a dedicated connection. */
import { type Db, openDb, systemClock } from '@store/db';
import type { Log } from './log.ts';
import type { Figure, Metrics } from './metrics.ts';

/** When the database is down, its rows are left out and that is reported; all other metrics remain. */
export function measureSchema(metrics: Metrics, url: string, schema: string, log: Log): { stop(): Promise<void> } {
  const found = new Map<string, number>();
  const show = (name: string, help: string) => metrics.gauge(name, help, () => found.get(name));
  show('store_database_up', '1 when PostgreSQL answered the metrics, else 0.');
  show('store_outbox_rows', `Events that are not published yet, ${outboxCountMax} at most.`);
  show('store_outbox_oldest_seconds', 'Age of the oldest event that is not published yet.');
  show('store_dead_letters', 'Messages that could not be handled and were not sent again.');
  show('store_database_connections', 'Connections that PostgreSQL has open, of every client and to every database.');
  show('store_database_connections_max', 'Connections that PostgreSQL takes, those it keeps for superusers left out.');
  for (const { name, help } of metrics.figures) show(name, help);
  let db: Db | undefined;
  metrics.beforeText(async () => {
    found.clear();
    try {
      // A dedicated connection: with a pooled one, an exhausted pool would hide its own metrics.
      db ??= await openDb({ url, schema, entities: [], poolMax: 1, clock: systemClock });
      const waiting = await waitingIn(db);
      for (const [name, value] of Object.entries(waiting)) found.set(name, value);
      for (const figure of metrics.figures) found.set(figure.name, await figureIn(db, figure));
      found.set('store_database_up', 1);
    } catch (error) {
      log.warn({ err: error }, 'PostgreSQL did not answer the metrics');
      found.set('store_database_up', 0);
    }
  });
  return { stop: async () => db?.close() };
}

/** Counting beyond this costs more than the figure is worth. */
const outboxCountMax = 100_000;

async function waitingIn(db: Db): Promise<Record<string, number>> {
  const [row] = await db.read<Record<'rows' | 'oldest' | 'letters' | 'connections' | 'most', string>>(
    `select (select count(*) from (select 1 from ${db.schema}.outbox limit $1) as waiting) as rows,
       coalesce((select extract(epoch from clock_timestamp() - created_at) from ${db.schema}.outbox order by id limit 1), 0) as oldest,
       (select count(*) from ${db.schema}.dead_letters where redriven_at is null) as letters,
       (select sum(numbackends) from pg_stat_database) as connections,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    [outboxCountMax],
  );
  return {
    store_outbox_rows: Number(row!.rows),
    store_outbox_oldest_seconds: Math.max(0, Number(row!.oldest)),
    store_dead_letters: Number(row!.letters),
    store_database_connections: Number(row!.connections),
    store_database_connections_max: Number(row!.most),
  };
}

async function figureIn(db: Db, { text }: Figure): Promise<number> {
  const [row] = await db.read<{ value: string }>(text);
  return Number(row!.value);
}
