import { totalsTimer } from '@store/db';
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { migrations } from './migrations/all.ts';
import { openPurchasing, type Purchasing } from './purchasing.ts';
import { verbs } from './rpc.ts';
import { entities } from './tables.ts';

export const purchasing: ServiceDeclaration<Purchasing> = {
  ...{ app: 'purchasing', migrations, entities, verbs },
  open: openPurchasing,
  timers: [totalsTimer],
};

export const start = (options: StartOptions) => startService(purchasing, options);
