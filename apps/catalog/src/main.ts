/** The catalog service: what is special about it. */
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import type { Catalog } from './catalog.ts';
import { consumeEvents } from './consume-events.ts';
import { migrations } from './migrations/all.ts';
import { foldOnce } from './products/fold-totals.ts';
import { announcePromotions } from './promotions/announce-promotions.ts';
import { catalogVerbs } from './rpc.ts';
import { entities } from './tables.ts';

export const catalog: ServiceDeclaration<Catalog> = {
  app: 'catalog',
  migrations,
  entities,
  open: ({ db, outbox }) => ({ db, outbox }),
  verbs: catalogVerbs,
  consumer: consumeEvents,
  background(app, { life }) {
    life.every('product totals', 15_000, () => foldOnce(app.db));
    life.every('promotions', 5_000, () => announcePromotions(app));
  },
};

export const start = (options: StartOptions) => startService(catalog, options);
