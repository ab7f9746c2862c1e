/** What inventory's verbs are given. */

import type { Db, EntityManager } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import type { InventoryDefinition } from '@store/protos/inventory/v1/Inventory.ts';
import type { Call, RpcLog, Rpcs, VerbOf } from '@store/rpc';

/** What inventory asks of catalog and hands over to it: calls go in this direction only. */
export type CatalogRpcs = Pick<Rpcs<CatalogDefinition>, 'GetStockProducts' | 'ApplyStock' | 'SetPrice'>;

export interface Inventory {
  db: Db;
  outbox: Outbox;
  catalog: CatalogRpcs;
  log: RpcLog;
}

export type Verb<Rpc extends keyof InventoryDefinition> = VerbOf<Inventory, InventoryDefinition, Rpc>;

/** What a verb writes with: the unit's transaction, the app, the call. */
export interface Unit {
  em: EntityManager;
  app: Inventory;
  call: Call;
}
