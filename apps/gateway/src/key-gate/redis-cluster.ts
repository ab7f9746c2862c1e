import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '@store/service';
import { ClientOfflineError } from 'redis';
import { slotOf, slots } from './key-slot.ts';
import type { RedisAddress } from './redis-address.ts';
import { newClusterClient, type RedisConnection } from './redis-client.ts';
import { SlotMoves } from './with-fallback.ts';

export interface ClusterOptions extends RedisAddress {
  log: Log;
  /** Called with the addresses of the masters that have slots, when slots have moved. */
  onMasters: (masters: Set<string>) => void;
}

type ClusterClient = ReturnType<typeof newClusterClient>;

/** Between two questions to the cluster, while a master cannot be reached. */
const lookUpEveryMs = 1_000;
/** Between attempts to reach any server of the cluster at the start. */
const firstLookUpEveryMs = 500;

export class RedisCluster {
  readonly #options: ClusterOptions;
  readonly #client: ClusterClient;
  readonly #stopped = new AbortController();
  /** The map that `#masters` was read from; the client replaces it when it learns of a change. */
  #read: ClusterClient['slots'] | undefined;
  #masters: (string | undefined)[] = new Array(slots);
  #lookedUpAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#client = newClusterClient(options, options.log);
  }

  /** Resolves when each master was connected; retries until then or until the cluster is destroyed. */
  async connect(): Promise<void> {
    while (!this.#stopped.signal.aborted && !this.#client.isReady) {
      const isKnown = await this.#client.connect().then(
        () => true,
        () => false,
      );
      if (!isKnown) await wait(firstLookUpEveryMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
    await Promise.all(this.#client.masters.map(({ address }) => this.#connectTo(address)));
  }

  destroy(): void {
    this.#stopped.abort();
    this.#client.destroy();
  }

  /** The address of the master that holds the keys of this API key; undefined while no server of the cluster was reached. */
  masterOf(hash: string): string | undefined {
    if (this.#client.slots !== this.#read) this.#readMasters();
    return this.#masters[slotOf(hash)];
  }

  /** The connection to one master. The client follows a key that moves to another one, but for scripts: that other one has its own. */
  connectionTo(address: string): RedisConnection {
    const ready = () => this.#readyNode(address);
    return {
      evalSha: async (sha, options) =>
        ready()
          .evalSha(sha, options)
          .catch((error: Error) => this.#refused(error)),
      set: async (key, value, options) => ready() && this.#client.set(key, value, options),
      del: async (keys) => ready() && this.#client.del(keys),
      time: async () => ready().time(),
      scriptLoad: async (text) => ready().scriptLoad(text),
      connect: () => this.#connectTo(address),
      destroy: () => this.#disconnect(address),
    };
  }

  /** Throws while the master is not connected: a queued call would be made after its request has ended. */
  #readyNode(address: string) {
    const client = this.#client.nodeByAddress.get(address)?.client;
    if (client?.isReady) return client;
    void this.#connectTo(address);
    this.#lookUp();
    throw new ClientOfflineError();
  }

  /** While a slot moves both masters refuse a script of its keys; then the old one names the new one, whose gate the next call uses. */
  async #refused(error: Error): Promise<never> {
    const [, how] = /^(MOVED|ASK|TRYAGAIN)\b/.exec(error.message) ?? [];
    if (how === undefined) throw error;
    if (how === 'MOVED') this.#askForSlots();
    throw new SlotMoves(error.message);
  }

  async #connectTo(address: string): Promise<void> {
    const node = this.#client.nodeByAddress.get(address);
    if (!node || node.client || this.#stopped.signal.aborted) return;
    await this.#client
      .nodeClient(node)
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'A Redis connection was given up'));
  }

  #disconnect(address: string): void {
    const node = this.#client.nodeByAddress.get(address);
    node?.client?.destroy();
    if (node) node.client = undefined;
  }

  /** Asks the servers that answer who has the slots of one that does not. */
  #lookUp(): void {
    if (!this.#client.isReady || performance.now() - this.#lookedUpAtMs < lookUpEveryMs) return;
    this.#lookedUpAtMs = performance.now();
    this.#askForSlots();
  }

  /** Callers at the same time share one question. */
  #askForSlots(): void {
    this.#client._slots
      .rediscover()
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'No server of the Redis cluster answers'));
  }

  #readMasters(): void {
    this.#read = this.#client.slots;
    const masters = Array.from({ length: slots }, (_, slot) => this.#read?.[slot]?.master.address);
    const hasMoved = this.#masters.some((before, slot) => before !== undefined && before !== masters[slot]);
    this.#masters = masters;
    if (hasMoved) this.#options.onMasters(new Set(masters.filter((address) => address !== undefined)));
  }
}
