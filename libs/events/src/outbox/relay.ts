/**
 * Publishes a schema's outbox to the transport. One relay per schema is active, by advisory lock. It reads
 * unsent rows in id order, of a backlog store by store in turn, never "id greater than the last": ids commit
 * out of order, and a watermark would lose rows that commit late.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { closeSession, newSession } from '@store/db';
import type pg from 'pg';
import { MessageTooLarge, type Transport } from '../message.ts';
import { published } from '../publish-spans.ts';
import { relayTiming as timing } from '../timing.ts';
import type { ConsumerPace } from './consumer-pace.ts';
import { batchesInTurn, deleteRows, messageOf, type OutboxRow, oldestRows, setAside, type Waiting } from './outbox-rows.ts';
import { RelayLinger } from './relay-linger.ts';
import { RelayPace } from './relay-pace.ts';
import { connected } from './relay-session.ts';
import { relayChannel } from './remote-relay.ts';

export interface RelayOptions {
  url: string;
  schema: string;
  transport: Transport;
  log: Record<'error' | 'warn', (fields: object, message: string) => void>;
  batchMax?: number;
  /** The pause between batches of a backlog; a backlog is what does not fit into one batch. */
  pace?: Pick<RelayPace, 'pauseMs'>;
  /** Absent where publishing waits for the consumers. */
  consumers?: Pick<ConsumerPace, 'waitForConsumers'>;
  /** Least time between two batches of a busy time so that commits are sent together; the first after a quiet time is sent at once. */
  lingerMs?: number;
  /** The same where hundreds of events a second come; absent: `lingerMs`. */
  busyLingerMs?: number;
  pollMs?: number;
}

/** The process answers requests between two batches: reading and encoding this many rows takes a few milliseconds. */
const batchDefault = 250;

export class Relay {
  readonly #options: RelayOptions;
  #connection: { client: pg.Client; outbox: Waiting; heartbeat: NodeJS.Timeout } | undefined;
  #leads = false;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wakeUp: (() => void) | undefined;
  #woken = false;
  #notifying = false;
  readonly #linger: RelayLinger;
  readonly #pace: Pick<RelayPace, 'pauseMs'>;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#pace = options.pace ?? new RelayPace();
    this.#linger = new RelayLinger({ lingerMs: options.lingerMs ?? timing.lingerMs, busyLingerMs: options.busyLingerMs });
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Rows wait. If another process is the leader, it is notified with NOTIFY, outside any transaction. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
    if (!this.#leads && this.#connection && !this.#notifying) {
      this.#notifying = true;
      this.#connection.outbox
        .ask({ text: `select pg_notify('${this.#channel}', '')` })
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'The relay could not be notified; its poll will find the rows'))
        .finally(() => {
          this.#notifying = false;
        });
    }
  }

  /** Publishes everything that waits now; for tests and tools that do not start the loop. */
  async drain(): Promise<void> {
    const outbox = await this.#connected();
    while (!this.#leads) this.#leads = await this.#tryLead(outbox);
    while ((await this.#publishWaiting(outbox)) > 0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp?.();
    await this.#running;
    // drain() also connects, without the loop that disconnects at its end.
    await this.#disconnect();
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #channel(): string {
    return relayChannel(this.#options.schema);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        const outbox = await this.#connected();
        this.#leads ||= await this.#tryLead(outbox);
        if (this.#leads) await this.#publishWaiting(outbox);
      } catch (error) {
        if (this.#stopped) break;
        this.#options.log.warn({ err: error, schema: this.#options.schema }, 'The relay failed and will try again');
        await this.#disconnect();
      }
      await this.#idle();
    }
    await this.#disconnect();
  }

  async #connected(): Promise<Waiting> {
    if (this.#connection) return this.#connection.outbox;
    const { url, schema } = this.#options;
    const client = newSession({
      url,
      applicationName: `store-${schema}-relay`,
      idleMaxMs: timing.idleMaxMs,
      queryTimeoutMs: timing.answerTimeoutMs,
    });
    client.on('error', () => {
      if (this.#connection?.client !== client) return;
      clearInterval(this.#connection.heartbeat);
      this.#connection = undefined;
      this.#leads = false;
    });
    client.on('notification', () => {
      this.#woken = true;
      this.#wakeUp?.();
    });
    const outbox = await connected(client, schema, this.#channel);
    const heartbeat = setInterval(() => void outbox.ask({ text: 'select 1' }).catch(() => undefined), timing.heartbeatEveryMs);
    this.#connection = { client, outbox, heartbeat };
    return outbox;
  }

  async #tryLead({ ask }: Waiting): Promise<boolean> {
    const text = 'select pg_try_advisory_lock(hashtext($1)) as leads';
    const { rows } = await ask({ text, values: [`relay:${this.#options.schema}`] });
    return rows[0].leads === true;
  }

  /**
   * Publishes one batch, or if that is full all that waits; returns the number of rows. While a batch is being sent, the next
   * one is read and the previous one deleted. A crash in between publishes undeleted rows again, with the same ids and bytes.
   */
  async #publishWaiting(outbox: Waiting): Promise<number> {
    this.#woken = false;
    this.#linger.started(performance.now());
    const { batchMax = batchDefault } = this.#options;
    const nextBatch = batchesInTurn(outbox, batchMax);
    let count = 0;
    let deleted: Promise<unknown> | undefined;
    let batch = await oldestRows(outbox, batchMax);
    const isBacklog = batch.length === batchMax;
    while (batch.length > 0) {
      const startedAtMs = performance.now();
      const goesOn = isBacklog && !this.#stopped;
      const [next] = await Promise.all([goesOn ? nextBatch(batch) : [], this.#publish(outbox, batch), deleted]);
      count += batch.length;
      deleted = deleteRows(outbox, batch);
      // Awaited with the next batch; avoids an unhandled rejection until then.
      deleted.catch(() => undefined);
      if (goesOn) await this.#pause(startedAtMs);
      batch = next;
    }
    await deleted;
    this.#linger.published(count);
    return count;
  }

  /** A message refused for its size goes to dead_letters; the rest of its batch is published without it. */
  async #publish(outbox: Waiting, batch: OutboxRow[]): Promise<void> {
    const { schema, transport, log } = this.#options;
    for (let rows = batch; rows.length > 0; ) {
      try {
        return await published(
          transport,
          rows.map((row) => messageOf(schema, row)),
        );
      } catch (error) {
        const refused = error instanceof MessageTooLarge ? rows.find((row) => row.event_id === error.id) : undefined;
        if (!refused) throw error;
        await setAside(outbox, refused, error);
        log.error(
          { err: error, schema, event_id: refused.event_id, event: refused.name },
          'An event was too large and went to dead_letters',
        );
        rows = rows.filter((row) => row !== refused);
      }
    }
  }

  async #pause(startedAtMs: number): Promise<void> {
    const pauseMs = await this.#pace.pauseMs(performance.now() - startedAtMs);
    if (pauseMs > 0 && !this.#stopped) await wait(pauseMs);
    await this.#options.consumers?.waitForConsumers(this.#stopping.signal);
  }

  #idle(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakeUp = undefined;
        resolve();
      };
      let timer = setTimeout(done, this.#woken ? this.#linger.leftMs(performance.now()) : (this.#options.pollMs ?? timing.pollMs));
      this.#wakeUp = () => {
        clearTimeout(timer);
        const gatherMs = this.#linger.leftMs(performance.now());
        if (this.#stopped || gatherMs === 0) return done();
        timer = setTimeout(done, gatherMs);
      };
    });
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#leads = false;
    if (!connection) return;
    clearInterval(connection.heartbeat);
    await closeSession(connection.client).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'The relay could not close its connection'),
    );
  }
}
