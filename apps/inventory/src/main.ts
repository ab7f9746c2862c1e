/** The inventory service. */
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import type { Inventory } from './inventory.ts';
import { migrations } from './migrations/all.ts';
import { inventoryVerbs } from './rpc.ts';
import { compactCounts, compactEveryMs } from './stock-adjustments/adjustment-counts.ts';
import { entities } from './tables.ts';

export const inventory: ServiceDeclaration<Inventory> = {
  app: 'inventory',
  migrations,
  entities,
  open: ({ db, outbox, log, client }) => ({ db, outbox, log, catalog: client<CatalogDefinition>('catalog') }),
  verbs: inventoryVerbs,
  consumer: consumeEvents,
  background: ({ db }, { life }) => life.every('ledger totals', compactEveryMs, () => compactCounts(db)),
};
export const start = (options: StartOptions) => startService(inventory, options);
