/** The sales service: what is special about it. */

import { foldTotals, foldTotalsEveryMs } from '@store/db';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import type { CustomersDefinition } from '@store/protos/customers/v1/Customers.ts';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import { sweepEveryMs, sweepExpired } from './gift-cards/sweep-expired.ts';
import { migrations } from './migrations/all.ts';
import { receiptNumbers } from './receipt-numbers/receipt-numbers.ts';
import { salesVerbs } from './rpc.ts';
import type { Sales } from './sales.ts';
import { sweepIntents, sweepIntentsEveryMs } from './store-credit/sweep-intents.ts';
import { entities } from './tables.ts';

export const sales: ServiceDeclaration<Sales> = {
  app: 'sales',
  migrations,
  entities,
  open: ({ db, outbox, log, client }) => ({
    db,
    outbox,
    log,
    receiptNumbers: receiptNumbers(db),
    catalog: client<CatalogDefinition>('catalog'),
    customers: client<CustomersDefinition>('customers'),
  }),
  verbs: salesVerbs,
  consumer: consumeEvents,
  background: (app, { life }) => {
    life.every('totals', foldTotalsEveryMs, () => foldTotals(app.db));
    life.every('store credit of no sale', sweepIntentsEveryMs, () => sweepIntents(app));
    life.every('expired gift cards', sweepEveryMs, () => sweepExpired(app));
  },
};

export const start = (options: StartOptions) => startService(sales, options);
