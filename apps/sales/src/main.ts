import { totalsTimer } from '@store/db';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { consumeEvents } from './consume-events.ts';
import { expiredCardsTimer } from './gift-cards/sweep-expired.ts';
import { migrations } from './migrations/all.ts';
import { verbs } from './rpc.ts';
import { openSales, type Sales } from './sales.ts';
import { unclaimedCreditTimer } from './store-credit/sweep-intents.ts';
import { entities } from './tables.ts';

export const sales: ServiceDeclaration<Sales> = {
  ...{ app: 'sales', migrations, entities, verbs },
  open: openSales,
  consumer: consumeEvents,
  timers: [totalsTimer, unclaimedCreditTimer, expiredCardsTimer],
};

export const start = (options: StartOptions) => startService(sales, options);
