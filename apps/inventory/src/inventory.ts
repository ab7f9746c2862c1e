/** What inventory's verbs are given. */

import type { Db } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import type { RpcLog, Rpcs } from '@store/rpc';

/** What inventory asks of catalog and tells it: calls go in this direction only. */
export type CatalogRpcs = Pick<Rpcs<CatalogDefinition>, 'GetStockProducts' | 'ApplyStock' | 'SetPrice'>;

export interface Inventory {
  db: Db;
  outbox: Outbox;
  catalog: CatalogRpcs;
  log: RpcLog;
}
