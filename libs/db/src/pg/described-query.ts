/**
 * A prepared statement whose columns PostgreSQL describes once per connection, not at each run. After a change of its columns PostgreSQL
 * refuses the statement (`cached plan must not change result type`), so a kept description cannot be wrong.
 */
import pg from 'pg';
import type { RowBytes } from './bounded-reads.ts';

interface Columns {
  fields: pg.FieldDef[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** A statement of pg under way, with the members that its types leave out. */
interface Query {
  readonly name: string;
  readonly _result: Columns;
  _accumulateRows: boolean;
  /** The error of a statement that cannot be sent. */
  submit(connection: pg.Connection): Error | null;
  handleDataRow(message: { length: number }): void;
  handleCommandComplete(message: object, connection: pg.Connection): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => Query;

interface Described {
  byStatement: Map<string, Columns>;
  /** The connection, which asks for no columns. */
  silent: pg.Connection;
}

const described = new WeakMap<pg.Connection, Described>();

export interface BoundedStatement extends pg.QueryConfig {
  bound?: RowBytes | undefined;
  /** Ends it: PostgreSQL would send the rest of the rows. */
  whenBeyond?: () => void;
}

/** `config`: a statement with a name. `isKept`: the description is, for the next run on this connection. */
export class DescribedQuery extends Query {
  #byStatement: Described['byStatement'] | undefined;
  readonly #isKept: boolean;
  readonly #bound: RowBytes | undefined;
  #whenBeyond: (() => void) | undefined;

  constructor(config: BoundedStatement, { isKept = true } = {}) {
    super(config);
    this.#isKept = isKept;
    this.#bound = config.bound;
    this.#whenBeyond = config.whenBeyond;
  }

  override submit(connection: pg.Connection): Error | null {
    if (!this.#isKept) return super.submit(connection);
    const { byStatement, silent } = describedOn(connection);
    const known = byStatement.get(this.name);
    if (!known) {
      this.#byStatement = byStatement;
      return super.submit(connection);
    }
    Object.assign(this._result, known);
    this._accumulateRows = true;
    return super.submit(silent);
  }

  override handleDataRow(message: { length: number }): void {
    const bound = this.#bound;
    if (bound) {
      bound.left -= message.length;
      if (bound.left < 0) {
        if (!bound.cuts) this.#whenBeyond?.();
        this.#whenBeyond = undefined;
        return;
      }
    }
    super.handleDataRow(message);
  }

  override handleCommandComplete(message: object, connection: pg.Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    // After all rows: a statement that was described without any has none.
    this.#byStatement?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    super.handleCommandComplete(message, connection);
  }
}

function describedOn(connection: pg.Connection): Described {
  let found = described.get(connection);
  if (!found) {
    const silent = Object.create(connection, { describe: { value: () => undefined } }) as pg.Connection;
    found = { byStatement: new Map(), silent };
    described.set(connection, found);
  }
  return found;
}
