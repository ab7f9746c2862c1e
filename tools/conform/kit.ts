/** What a check works with: the installation, the contract, the key, sample records, and what is removed at the end. */
import { randomBytes } from 'node:crypto';
import type { Contract } from './contract.ts';
import { holds, Skip } from './outcome.ts';
import type { Answer, Request, Site } from './site.ts';
import type { Staff } from './staff.ts';

export interface KeyRecord {
  name: string;
  scopes: string[];
  test_mode: boolean;
  rate_limit: number;
}

export interface KitOptions {
  site: Site;
  contract: Contract;
  key: KeyRecord;
  staff: Staff | undefined;
  /** HTTPS URL for subscriptions; nothing needs to answer there. */
  webhookUrl: string | undefined;
  pause: (ms: number) => Promise<void>;
}

const eventuallyMs = 30_000;
const pollMs = 200;

export class Kit {
  readonly site: Site;
  readonly contract: Contract;
  readonly key: KeyRecord;
  /** In the names, skus and card numbers of this run's records. */
  readonly mark = `conform-${randomBytes(4).toString('hex')}`;
  readonly #options: KitOptions;
  readonly #read = new Map<string, Promise<Answer>>();
  readonly #undo: { what: string; run: () => Promise<void> }[] = [];
  #numbers = 0;

  constructor(options: KitOptions) {
    this.#options = options;
    this.site = options.site;
    this.contract = options.contract;
    this.key = options.key;
  }

  get staff(): Staff {
    if (!this.#options.staff) throw new Skip('no staff login was given (--staff)');
    return this.#options.staff;
  }

  get hasStaff(): boolean {
    return this.#options.staff !== undefined;
  }

  get webhookUrl(): string {
    if (!this.#options.webhookUrl) throw new Skip('no URL for subscriptions was given (--webhook-url)');
    return this.#options.webhookUrl;
  }

  send(method: string, path: string, request?: Request): Promise<Answer> {
    return this.site.send(method, path, request);
  }

  /** One request for all checks that only look at the same answer. */
  async get(path: string): Promise<Answer> {
    const known = this.#read.get(path) ?? this.send('GET', path);
    this.#read.set(path, known);
    const answer = await known;
    this.site.last = answer;
    if (answer.body?.code === 'feature_not_enabled') throw new Skip(`the store's plan lacks the feature: ${answer.body.error}`);
    return answer;
  }

  /** The data of a GET that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
  async data(path: string): Promise<any> {
    const answer = await this.get(path);
    holds(answer.status === 200, `GET ${path} answered ${answer.status}, not 200`);
    return answer.body?.data;
  }

  /** A text that no other record has. */
  unique(): string {
    this.#numbers += 1;
    return `${this.mark}-${this.#numbers}`;
  }

  /** Runs last, in reverse, whatever happened before. */
  cleanUp(what: string, run: () => Promise<void>): void {
    this.#undo.push({ what, run });
  }

  /** Removes what the run made; returns what could not be removed. */
  async removeAll(): Promise<string[]> {
    const left: string[] = [];
    for (const { what, run } of this.#undo.splice(0).reverse()) {
      try {
        await run();
      } catch (error) {
        left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return left;
  }

  /** Looks again until the value is there: events and copies follow a write within moments. */
  async eventually<Value>(look: () => Promise<Value | undefined>, otherwise: string): Promise<Value> {
    for (let waited = 0; ; waited += pollMs) {
      const found = await look();
      if (found !== undefined) return found;
      holds(waited < eventuallyMs, otherwise);
      await this.#options.pause(pollMs);
    }
  }
}
