/**
 * Carries a schema's outbox to the transport. One relay per schema is active, by advisory lock; it
 * takes unsent rows in id order, never "id greater than the last": ids commit out of order and a
 * watermark loses what commits late.
 */
import { isoTime } from '@store/db';
import pg from 'pg';
import type { ActorRecord, Internal, Message, Transport } from './message.ts';

export interface RelayOptions {
  url: string;
  schema: string;
  transport: Transport;
  log: { error(fields: object, message: string): void };
  batchMax?: number;
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
const batchDefault = 1_000;
/** A burst of commits within this time travels as one batch. */
const gatherMs = 3;

export class Relay {
  readonly #options: RelayOptions;
  #client: pg.Client | undefined;
  #leads = false;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  #wakeUp: (() => void) | undefined;
  #woken = false;
  #notifying = false;

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
      this.#client
        .query(`select pg_notify('${this.#channel}', '')`)
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
    while ((await this.#drainOnce(client)) > 0);
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
        if (this.#leads && (await this.#drainOnce(client)) > 0) continue;
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
    await client.connect();
    await client.query(`set timezone = 'UTC'; listen ${this.#channel}`);
    this.#client = client;
    return client;
  }

  async #tryLead(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as leads', [`relay:${this.#options.schema}`]);
    return rows[0].leads === true;
  }

  /** One batch: read, publish, delete. A crash in between publishes it again with the same ids and bytes. */
  async #drainOnce(client: pg.Client): Promise<number> {
    this.#woken = false;
    const { schema, transport, batchMax = batchDefault } = this.#options;
    const { rows } = await client.query<OutboxRow>({
      name: 'relay-read',
      text: `select id::text, event_id::text, store_id::text, name, aggregate, public, internal, actor, request_id, created_at::text
             from ${schema}.outbox order by outbox.id limit $1`,
      values: [batchMax],
    });
    if (rows.length === 0) return 0;
    await transport.publish(rows.map((row) => messageOf(`${schema}.events`, row)));
    await client.query({
      name: 'relay-delete',
      text: `delete from ${schema}.outbox where id = any($1::bigint[])`,
      values: [rows.map((row) => row.id)],
    });
    return rows.length;
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
