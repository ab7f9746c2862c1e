/** The inventory service. */
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import type { Inventory } from './inventory.ts';
import { migrations } from './migrations/all.ts';
import { inventoryVerbs } from './rpc.ts';
import { consumeStaff, wantsStaff } from './staff/consume-staff.ts';
import { compactCounts, compactEveryMs } from './stock-adjustments/adjustment-counts.ts';
import { entities } from './tables.ts';

export const inventory: ServiceDeclaration<Inventory> = {
  app: 'inventory',
  migrations,
  entities,
  open: ({ db, outbox, log, client }) => ({ db, outbox, log, catalog: client<CatalogDefinition>('catalog') }),
  verbs: inventoryVerbs,
  consumer: () => ({ wants: wantsStaff, handle: consumeStaff }),
  background: ({ db }, { life }) => life.every('ledger totals', compactEveryMs, () => compactCounts(db)),
};
export const start = (options: StartOptions) => startService(inventory, options);
