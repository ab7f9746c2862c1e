/** The catalog service: what is special about it. */
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import type { Catalog } from './catalog.ts';
import { consumeEvents } from './consume-events.ts';
import { migrations } from './migrations/all.ts';
import { productTotalsTimer } from './products/fold-totals.ts';
import { promotionsTimer } from './promotions/announce-promotions.ts';
import { verbs } from './rpc.ts';
import { entities } from './tables.ts';

export const catalog: ServiceDeclaration<Catalog> = {
  ...{ app: 'catalog', migrations, entities, verbs },
  open: ({ db, outbox }) => ({ db, outbox }),
  consumer: consumeEvents,
  timers: [productTotalsTimer, promotionsTimer],
};

export const start = (options: StartOptions) => startService(catalog, options);
