/** A flush updates and deletes by primary key alone; here the store joins the condition, however the record was loaded. */
import type { Configuration, EntityName } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { StoreConnection } from './store-connection.ts';
import { Transaction } from './transaction.ts';

type Update = PostgreSqlDriver['nativeUpdate'];
type Delete = PostgreSqlDriver['nativeDelete'];

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
