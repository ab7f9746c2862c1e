import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import type { Inventory } from './inventory.ts';
import { migrations } from './migrations/all.ts';
import { verbs } from './rpc.ts';
import { ledgerTotalsTimer } from './stock-adjustments/adjustment-counts.ts';
import { entities } from './tables.ts';

export const inventory: ServiceDeclaration<Inventory> = {
  ...{ app: 'inventory', migrations, entities, verbs },
  open: ({ db, outbox, log, client }) => ({ db, outbox, log, catalog: client<CatalogDefinition>('catalog') }),
  consumer: consumeEvents,
  timers: [ledgerTotalsTimer],
};

export const start = (options: StartOptions) => startService(inventory, options);
