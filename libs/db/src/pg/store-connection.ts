/** MikroORM writes values into its texts, and PostgreSQL logs the text of a failed statement. Here values stay beside the text. */
import { isRaw } from '@mikro-orm/core';
import { type NativeQueryBuilder, PostgreSqlConnection, type RawQueryFragment } from '@mikro-orm/postgresql';
import { Transaction } from './transaction.ts';

type Execute = PostgreSqlConnection['execute'];
type Method = 'all' | 'get' | 'run';

export class StoreConnection extends PostgreSqlConnection {
  /** Outside a unit there are only MikroORM's own looks at the schema. */
  override execute: Execute = async <T>(...asked: Parameters<Execute>): Promise<T> => {
    const [query, params = [], method = 'all', transaction] = asked;
    const unit = transaction as unknown;
    if (!(unit instanceof Transaction)) return super.execute(...asked) as Promise<T>;
    const written = typeof query === 'string' ? { sql: query, params: params as readonly unknown[] } : rawOf(query);
    const values: unknown[] = [];
    const text = this.#bound(this.config.get('onQuery')(written.sql, written.params) ?? written.sql, written.params, values);
    return this.executeQuery(text, async () =>
      this.transformRawResult<T>(await unit.executeQuery({ sql: text, parameters: values }), method as Method),
    );
  };

  /** The text with `$1` for `?` and the quoted name for `??`; the values of the placeholders are added to `values`. */
  #bound(text: string, params: readonly unknown[], values: unknown[]): string {
    let next = 0;
    return text.replace(/\\\?|\?\??/g, (mark) => {
      if (mark === '\\?') return '?';
      const value = params[next++];
      if (mark === '??') return this.platform.quoteIdentifier(value as string);
      if (isRaw(value)) return this.#bound(value.sql, value.params, values);
      if (Array.isArray(value)) return value.map((one) => `$${values.push(one)}`).join(', ');
      return `$${values.push(value)}`;
    });
  }
}

function rawOf(query: NativeQueryBuilder | RawQueryFragment): RawQueryFragment {
  return isRaw(query) ? query : query.toRaw();
}
