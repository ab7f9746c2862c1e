/** The catalog service: config, database, events, door. */
import { migrate, openDb } from '@store/db';
import { consume, Relay } from '@store/events';
import { serve } from '@store/rpc';
import { Lifecycle, openTrust, purgeExpired, type Running, readServiceConfig, type StartOptions } from '@store/service';
import type { Catalog } from './catalog.ts';
import { settings } from './config.ts';
import { migrations } from './migrations/all.ts';
import { foldTotals } from './products/fold-totals.ts';
import { keepAnnouncing } from './promotions/announce-promotions.ts';
import { catalogVerbs } from './rpc.ts';
import { consumeStock, wantsStock } from './stock/consume-stock.ts';
import { consumeStores, wantsStore } from './stores/consume-stores.ts';
import { entities } from './tables.ts';

export async function start({ env, log, transport, clock }: StartOptions): Promise<Running> {
  const config = readServiceConfig(settings, env);
  const life = new Lifecycle(log);
  const schema = 'catalog';
  await migrate({ url: config.DATABASE_URL, schema, migrations });
  const db = await openDb({ url: config.DATABASE_URL, schema, entities, poolMax: config.DATABASE_POOL_MAX, clock });
  life.onStop('database', () => db.close());
  const trust = openTrust(config, db.clock);
  const relay = new Relay({ url: config.DATABASE_URL, schema, transport, log });
  const app: Catalog = { db, outbox: { db, wake: () => relay.wake() } };

  await transport.subscribe({
    group: 'catalog',
    topics: ['inventory.events', 'gateway.events'],
    handle: consume({
      db,
      log,
      wants: (message) => wantsStock(message) || wantsStore(message),
      handle: async (em, messages) => {
        const stores = messages.filter(wantsStore);
        if (stores.length > 0) await consumeStores(em, stores);
        await consumeStock(app, em, messages.filter(wantsStock));
      },
    }),
  });
  relay.start();
  life.onStop('relay', () => relay.stop());
  life.onStop('housekeeping', purgeExpired(db, log, config.EVENT_RETENTION_DAYS));
  life.onStop('totals', foldTotals(db, log));
  life.onStop('promotions', keepAnnouncing(app, log));

  const server = await serve({ 'store.catalog.v1.Catalog': catalogVerbs(app) }, { listen: config.CATALOG_LISTEN, trust, log });
  life.onStop('rpc', () => server.stop());
  return { address: server.address, stop: () => life.stop() };
}
