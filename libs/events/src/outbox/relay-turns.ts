/** The rows of a backlog, store by store in turn (D258), each store's in the order of their ids. */
import type { AskOne } from '@store/db';
import { idsInTurn, type OutboxRow, rowsOf } from './outbox-rows.ts';

/** Batches whose ids are read at once. A store that commits meanwhile has its turn in the next list. */
const listBatches = 16;

export class RelayTurns {
  readonly #ask: AskOne;
  readonly #schema: string;
  readonly #batchMax: number;
  #listed: string[] = [];
  /** No row waited beyond the list. */
  #isAll = false;

  constructor(ask: AskOne, schema: string, batchMax: number) {
    this.#ask = ask;
    this.#schema = schema;
    this.#batchMax = batchMax;
  }

  /** The next batch, by a list of ids: deleted rows stay in the index until a vacuum, and reading from the start would scan them again. */
  async next(underWay: OutboxRow[]): Promise<OutboxRow[]> {
    if (this.#listed.length < this.#batchMax && !this.#isAll) await this.#list(underWay);
    if (this.#listed.length === 0) return [];
    return rowsOf(this.#ask, this.#schema, this.#listed.splice(0, this.#batchMax));
  }

  /** Always from each store's oldest row: ids commit out of order, so there is none to go on from. */
  async #list(underWay: OutboxRow[]): Promise<void> {
    const sent = underWay.map(({ id }) => id);
    const turns = await idsInTurn(this.#ask, this.#schema, listBatches * this.#batchMax, sent);
    this.#listed = turns.map(({ id }) => id);
    this.#isAll = turns.every(({ is_last }) => !is_last);
  }
}
