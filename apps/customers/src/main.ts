/** The customers service: what is special about it. */
import { foldTotals, foldTotalsEveryMs } from '@store/db';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import type { Customers } from './customers.ts';
import { rankCustomers, rankEveryMs } from './loyalty-tiers/rank-customers.ts';
import { migrations } from './migrations/all.ts';
import { customersVerbs } from './rpc.ts';
import { entities } from './tables.ts';

export const customers: ServiceDeclaration<Customers> = {
  app: 'customers',
  migrations,
  entities,
  open: ({ db, outbox, log }) => ({ db, outbox, log }),
  verbs: customersVerbs,
  consumer: consumeEvents,
  background(app, { life }) {
    life.every('totals', foldTotalsEveryMs, () => foldTotals(app.db));
    life.every('tiers', rankEveryMs, () => rankCustomers(app));
  },
};

export const start = (options: StartOptions) => startService(customers, options);
