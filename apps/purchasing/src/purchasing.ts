import type { Db, Numbers } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import type { PurchasingDefinition } from '@store/protos/purchasing/v1.ts';
import type { Rpcs, VerbOf } from '@store/rpc';
import type { Log, ServiceParts } from '@store/service';
import { orderNumbers } from './order-numbers/order-number-block.ts';

/** Purchasing's client of catalog: calls go in this direction only. */
export type CatalogRpcs = Pick<Rpcs<CatalogDefinition>, 'GetStockProducts' | 'CreateReceivedProducts'>;

export interface Purchasing {
  db: Db;
  outbox: Outbox;
  log: Log;
  catalog: CatalogRpcs;
  orderNumbers: Numbers;
}

export type Verb<Rpc extends keyof PurchasingDefinition> = VerbOf<Purchasing, PurchasingDefinition, Rpc>;

export function openPurchasing({ db, outbox, log, client }: ServiceParts): Purchasing {
  return { db, outbox, log, catalog: client<CatalogDefinition>('catalog'), orderNumbers: orderNumbers(db) };
}
