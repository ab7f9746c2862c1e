/**
 * Carries a schema's outbox to the transport. One relay per schema is active, by advisory lock; it
 * takes unsent rows in id order, never "id greater than the last": ids commit out of order and a
 * watermark loses what commits late.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isoTime } from '@store/db';
import pg from 'pg';
import type { ActorRecord, Internal, Message, Transport } from './message.ts';

export interface RelayOptions {
  url: string;
  schema: string;
  transport: Transport;
  log: { error(fields: object, message: string): void };
  batchMax?: number;
  /** Most rows per second of a backlog, which is what does not fit into one batch. */
  perSecondMax?: number;
  pollMs?: number;
}

interface OutboxRow {
  id: string;
  event_id: string;
  store_id: string;
  name: string;
  aggregate: string;
  public: Buffer | null;
  internal: Internal | null;
  actor: ActorRecord;
  request_id: string;
  created_at: string;
}

const pollDefaultMs = 500;
/** The process answers requests between two batches: reading and encoding this many takes it a few milliseconds. */
const batchDefault = 100;
/**
 * A backlog is carried no faster than this: it is there because of an outage that is over, and what reads and consumes
 * it shares the machine with the requests of now.
 */
const perSecondDefault = 6_000;
/** A burst of commits within this time travels as one batch. */
const gatherMs = 2;

export class Relay {
  readonly #options: RelayOptions;
  #client: pg.Client | undefined;
  #leads = false;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  #wakeUp: (() => void) | undefined;
  #woken = false;
  #notifying = false;
  /** Ends when the connection is free: pg is to be asked one thing at a time. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Rows wait. Where another process leads, it is told by NOTIFY, outside any transaction. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
    if (!this.#leads && this.#client && !this.#notifying) {
      this.#notifying = true;
      this.#ask(this.#client, { text: `select pg_notify('${this.#channel}', '')` })
        .catch((error: unknown) => this.#options.log.error({ err: error }, 'The relay could not be notified; its poll will find the rows'))
        .finally(() => {
          this.#notifying = false;
        });
    }
  }

  /** Carries everything that waits now; for tests and tools that do not start the loop. */
  async drain(): Promise<void> {
    const client = await this.#connected();
    while (!this.#leads) this.#leads = await this.#tryLead(client);
    while ((await this.#carry(client)) > 0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp?.();
    await this.#running;
    // drain() connects too, without the loop whose end disconnects.
    await this.#disconnect();
  }

  get #channel(): string {
    return `outbox_${this.#options.schema}`;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        const client = await this.#connected();
        this.#leads ||= await this.#tryLead(client);
        if (this.#leads && (await this.#carry(client)) > 0) continue;
      } catch (error) {
        if (this.#stopped) break;
        this.#options.log.error({ err: error, schema: this.#options.schema }, 'The relay failed and will try again');
        await this.#disconnect();
      }
      await this.#rest();
    }
    await this.#disconnect();
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: `store-${this.#options.schema}-relay`,
      connectionTimeoutMillis: 4_000,
    });
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
      this.#leads = false;
    });
    client.on('notification', () => {
      this.#woken = true;
      this.#wakeUp?.();
    });
    this.#asked = Promise.resolve();
    await client.connect();
    await client.query(`set timezone = 'UTC'; listen ${this.#channel}`);
    this.#client = client;
    return client;
  }

  async #tryLead(client: pg.Client): Promise<boolean> {
    const text = 'select pg_try_advisory_lock(hashtext($1)) as leads';
    const { rows } = await this.#ask<{ leads: boolean }>(client, { text, values: [`relay:${this.#options.schema}`] });
    return rows[0]!.leads;
  }

  /**
   * Carries batch after batch until one is not full; how many rows. While a batch is on its way the next one is read and
   * the one before is deleted. A crash in between publishes what was not deleted again, with the same ids and bytes.
   */
  async #carry(client: pg.Client): Promise<number> {
    this.#woken = false;
    const { transport, batchMax = batchDefault } = this.#options;
    let carried = 0;
    let deleted: Promise<unknown> | undefined;
    for (let batch = await this.#read(client, []); batch.length > 0; ) {
      const startedAtMs = performance.now();
      const isFull = batch.length === batchMax && !this.#stopped;
      const [next] = await Promise.all([
        isFull ? this.#read(client, batch) : [],
        transport.publish(batch.map((row) => messageOf(`${this.#options.schema}.events`, row))),
        deleted,
      ]);
      carried += batch.length;
      deleted = this.#delete(client, batch);
      if (isFull) await this.#pause(batch.length, startedAtMs);
      batch = next;
    }
    await deleted;
    return carried;
  }

  /** The oldest rows but those of `underWay`; never those behind a watermark, which would skip what commits late. */
  async #read(client: pg.Client, underWay: OutboxRow[]): Promise<OutboxRow[]> {
    const { schema, batchMax = batchDefault } = this.#options;
    const { rows } = await this.#ask<OutboxRow>(client, {
      name: 'relay-read',
      text: `select id::text, event_id::text, store_id::text, name, aggregate, public, internal, actor, request_id, created_at::text
             from ${schema}.outbox where outbox.id <> all ($2::bigint[]) order by outbox.id limit $1`,
      values: [batchMax, underWay.map((row) => row.id)],
    });
    return rows;
  }

  #delete(client: pg.Client, batch: OutboxRow[]): Promise<unknown> {
    const deleted = this.#ask(client, {
      name: 'relay-delete',
      text: `delete from ${this.#options.schema}.outbox where id = any($1::bigint[])`,
      values: [batch.map((row) => row.id)],
    });
    // Looked at with the next batch; until then a failure must not count as one that nobody handles.
    deleted.catch(() => undefined);
    return deleted;
  }

  #ask<Row extends pg.QueryResultRow>(client: pg.Client, query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const answer = this.#asked.then(() => client.query<Row>(query));
    // Whoever asked hears of a failure; the next only waits for the connection.
    this.#asked = answer.catch(() => undefined);
    return answer;
  }

  /** The rest that keeps a backlog's pace. */
  async #pause(rows: number, startedAtMs: number): Promise<void> {
    const restMs = (rows * 1_000) / (this.#options.perSecondMax ?? perSecondDefault) - (performance.now() - startedAtMs);
    if (restMs > 0 && !this.#stopped) await wait(restMs);
  }

  #rest(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakeUp = undefined;
        resolve();
      };
      let timer = setTimeout(done, this.#woken ? gatherMs : (this.#options.pollMs ?? pollDefaultMs));
      this.#wakeUp = () => {
        clearTimeout(timer);
        if (this.#stopped) return done();
        timer = setTimeout(done, gatherMs);
      };
    });
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#leads = false;
    await client?.end().catch((error: unknown) => this.#options.log.error({ err: error }, 'The relay could not close its connection'));
  }
}

function messageOf(topic: string, row: OutboxRow): Message {
  return {
    id: row.event_id,
    topic,
    storeId: Number(row.store_id),
    name: row.name,
    aggregate: row.aggregate,
    public: row.public,
    internal: row.internal,
    actor: row.actor,
    requestId: row.request_id,
    createdAt: isoTime(row.created_at),
  };
}
