/**
 * Notifications between processes by NOTIFY, outside any transaction (D190). The lock on its number shows that a process is alive. A lost
 * notification only delays: the dispatcher polls, and streams reload.
 */
import { keepListening, type Notify } from '@store/db';
import { ownersLock } from './deliveries/leases.ts';
import { keyValues, type RowKey } from './row-key.ts';
import type { Changed } from './webhooks.ts';

/** As a notification names it. */
export type ChangedKey = Pick<RowKey, 'id'> & Partial<RowKey>;

export interface Heard {
  attempts?: ChangedKey[];
  subscriptions?: ChangedKey[];
}

/** Ids, and of each its store; the release before reads and sends the ids alone. */
interface Payload {
  wake: boolean;
  attempts: number[];
  subscriptions: number[];
  stores?: { attempts: number[]; subscriptions: number[] };
}

interface ReplicaListener {
  /** This process's number, locked as long as its session exists. */
  owner: number;
  /** The lock on the number was acquired, or lost with its session. */
  onLock(isHeld: boolean): void;
  /** Another process committed rows that may be due. */
  onWake(): void;
  /** A change in any process, this one included. */
  onChanges(changed: Heard): void;
  /** Notifications may have been missed. */
  onGap(): void;
  log: { warn(fields: object, message: string): void };
}

const channel = 'webhooks_replicas';
/** A NOTIFY payload has at most 8,000 bytes; an id with its comma has at most 20, and its store as many. */
const keysMax = 150;
/** More waiting changes than this are dropped: no person reads that many changes. */
const pendingMax = 10_000;

export class Replicas {
  readonly #url: string;
  readonly #listener: ReplicaListener;
  #notify: Notify | undefined;
  #wake = false;
  #attempts: RowKey[] = [];
  #subscriptions: RowKey[] = [];
  #sending = false;
  #listening: { stop(): Promise<void> } | undefined;

  constructor(url: string, listener: ReplicaListener) {
    this.#url = url;
    this.#listener = listener;
  }

  start(): void {
    const { owner, log } = this.#listener;
    this.#listening = keepListening({
      url: this.#url,
      applicationName: 'store-webhooks-replicas',
      channel,
      // Shared: a session of ours whose connection vanished may still hold it.
      prepare: async (client) => void (await client.query('select pg_advisory_lock_shared($1, $2)', [ownersLock, owner])),
      onConnected: (notify) => {
        this.#notify = notify;
        this.#listener.onLock(true);
        this.#listener.onWake();
        this.#listener.onGap();
      },
      onLost: () => {
        this.#notify = undefined;
        this.#listener.onLock(false);
      },
      onNotice: (payload, own) => this.#receive(payload, own),
      log,
    });
  }

  wake(): void {
    this.#wake = true;
    void this.#send();
  }

  announce({ attempts = [], subscriptions = [] }: Changed): void {
    if (attempts.length + subscriptions.length === 0) return;
    this.#attempts.push(...attempts);
    this.#subscriptions.push(...subscriptions);
    void this.#send();
  }

  async stop(): Promise<void> {
    await this.#listening?.stop();
  }

  /** One notification at a time: changes that arrive meanwhile are sent with the next. */
  async #send(): Promise<void> {
    const notify = this.#notify;
    if (!notify || this.#sending) return this.#forgetExcess();
    this.#sending = true;
    try {
      while (this.#wake || this.#attempts.length > 0 || this.#subscriptions.length > 0) {
        const payload = this.#takePayload();
        await notify(channel, JSON.stringify(payload));
      }
    } catch (error) {
      this.#listener.log.warn({ err: error }, 'The other processes of webhooks could not be notified; their poll will find the rows');
    } finally {
      this.#sending = false;
    }
  }

  #takePayload(): Payload {
    const [attemptStores, attempts] = keyValues(this.#attempts.splice(0, keysMax));
    const [subscriptionStores, subscriptions] = keyValues(this.#subscriptions.splice(0, keysMax / 6));
    const wake = this.#wake;
    this.#wake = false;
    return { wake, attempts, subscriptions, stores: { attempts: attemptStores, subscriptions: subscriptionStores } };
  }

  #forgetExcess(): void {
    if (this.#attempts.length > pendingMax) this.#attempts = [];
    if (this.#subscriptions.length > pendingMax) this.#subscriptions = [];
  }

  #receive(payload: string, own: boolean): void {
    const { wake, attempts, subscriptions, stores } = JSON.parse(payload) as Payload;
    if (wake && !own) this.#listener.onWake();
    if (attempts.length + subscriptions.length === 0) return;
    this.#listener.onChanges({
      attempts: keysOf(attempts, stores?.attempts),
      subscriptions: keysOf(subscriptions, stores?.subscriptions),
    });
  }
}

const keysOf = (ids: number[], stores: number[] | undefined): ChangedKey[] =>
  ids.map((id, place) => (stores ? { storeId: stores[place]!, id } : { id }));
