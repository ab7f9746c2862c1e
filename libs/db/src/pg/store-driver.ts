/** What MikroORM writes, bound to its unit's store, with its values beside the text. */
import { type Configuration, type EntityName, isRaw } from '@mikro-orm/core';
import { type NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver, type RawQueryFragment } from '@mikro-orm/postgresql';
import { Transaction } from './transaction.ts';

type Execute = PostgreSqlConnection['execute'];
type Method = 'all' | 'get' | 'run';

/** MikroORM writes values into its texts, and PostgreSQL logs the text of a failed statement. Here values stay beside the text. */
class StoreConnection extends PostgreSqlConnection {
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

type Update = PostgreSqlDriver['nativeUpdate'];
type Delete = PostgreSqlDriver['nativeDelete'];

/** A flush updates and deletes by primary key alone; here the store joins the condition, however the record was loaded. */
export class StoreDriver extends PostgreSqlDriver {
  /** MikroORM has no option for the class of its connection; nothing has used the first one yet. */
  constructor(config: Configuration) {
    super(config);
    Reflect.set(this, 'connection', new StoreConnection(config));
  }

  override nativeUpdate: Update = (entity, where, data, options) =>
    super.nativeUpdate(entity, this.#bound(entity, where, options), data, options);

  override nativeDelete: Delete = (entity, where, options) => super.nativeDelete(entity, this.#bound(entity, where, options), options);

  #bound<T extends object, Where>(entity: EntityName<T>, where: Where, options?: { ctx?: object }): Where {
    const column = storeProperty(this.metadata.get(entity));
    if (column === undefined) return where;
    if (!(options?.ctx instanceof Transaction)) throw new Error('records are written inside a unit');
    const bound = { [column]: options.ctx.storeId };
    return (isConditions(where) && !(column in where) ? { ...where, ...bound } : { $and: [where, bound] }) as Where;
  }
}

/** The property that holds a record's store; a store's own row holds it as its id. */
function storeProperty({ properties, tableName }: { properties: object; tableName?: string }): string | undefined {
  if ('storeId' in properties) return 'storeId';
  return tableName === 'stores' ? 'id' : undefined;
}

function isConditions(where: unknown): where is object {
  return typeof where === 'object' && where !== null && !Array.isArray(where);
}
