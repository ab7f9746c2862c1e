import type { Db, EntityManager } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import type { InventoryDefinition } from '@store/protos/inventory/v1.ts';
import type { Call, Rpcs, VerbOf } from '@store/rpc';
import type { Log } from '@store/service';

/** Inventory's client of catalog: calls go in this direction only. */
export type CatalogRpcs = Pick<Rpcs<CatalogDefinition>, 'GetStockProducts' | 'ApplyStock' | 'SetPrice'>;

export interface Inventory {
  db: Db;
  outbox: Outbox;
  catalog: CatalogRpcs;
  log: Log;
}

export type Verb<Rpc extends keyof InventoryDefinition> = VerbOf<Inventory, InventoryDefinition, Rpc>;

/** The context of a write: the unit's transaction, the app, the call. */
export interface Unit {
  em: EntityManager;
  app: Inventory;
  call: Call;
}
