/** The purchasing service: what is special about it. */

import { foldTotals, foldTotalsEveryMs } from '@store/db';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { migrations } from './migrations/all.ts';
import { orderNumbers } from './order-numbers/order-numbers.ts';
import type { Purchasing } from './purchasing.ts';
import { purchasingVerbs } from './rpc.ts';
import { entities } from './tables.ts';

export const purchasing: ServiceDeclaration<Purchasing> = {
  app: 'purchasing',
  migrations,
  entities,
  open: ({ db, outbox, log, client }) => ({
    db,
    outbox,
    log,
    catalog: client<CatalogDefinition>('catalog'),
    orderNumbers: orderNumbers(db),
  }),
  verbs: purchasingVerbs,
  background: ({ db }, { life }) => life.every('totals', foldTotalsEveryMs, () => foldTotals(db)),
};

export const start = (options: StartOptions) => startService(purchasing, options);
