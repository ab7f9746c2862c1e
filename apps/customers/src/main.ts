import { totalsTimer } from '@store/db';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import type { Customers } from './customers.ts';
import { tiersTimer } from './loyalty-tiers/rank-customers.ts';
import { migrations } from './migrations/all.ts';
import { verbs } from './rpc.ts';
import { entities } from './tables.ts';

export const customers: ServiceDeclaration<Customers> = {
  ...{ app: 'customers', migrations, entities, verbs },
  open: ({ db, outbox, log }) => ({ db, outbox, log }),
  consumer: consumeEvents,
  timers: [totalsTimer, tiersTimer],
};

export const start = (options: StartOptions) => startService(customers, options);
