/** The inventory service: config, database, events, catalog, door. */

import { migrate, openDb } from '@store/db';
import { consume, Relay } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import { client, connect, serve } from '@store/rpc';
import { Lifecycle, openTrust, purgeExpired, type Running, readServiceConfig, type StartOptions } from '@store/service';
import { settings } from './config.ts';
import type { Inventory } from './inventory.ts';
import { migrations } from './migrations/all.ts';
import { inventoryVerbs } from './rpc.ts';
import { consumeStaff, wantsStaff } from './staff/consume-staff.ts';
import { keepCounts } from './stock-adjustments/adjustment-counts.ts';

export async function start({ env, log, transport, clock }: StartOptions): Promise<Running> {
  const config = readServiceConfig(settings, env);
  const life = new Lifecycle(log);
  const schema = 'inventory';
  await migrate({ url: config.DATABASE_URL, schema, migrations });
  const db = await openDb({ url: config.DATABASE_URL, schema, entities: [], poolMax: config.DATABASE_POOL_MAX, clock });
  life.onStop('database', () => db.close());
  const trust = openTrust(config, db.clock);
  const relay = new Relay({ url: config.DATABASE_URL, schema, transport, log });
  const channel = connect(config.CATALOG_ADDRESS, trust);
  life.onStop('catalog client', () => channel.close());
  const app: Inventory = {
    db,
    outbox: { db, wake: () => relay.wake() },
    catalog: client<CatalogDefinition>(channel, 'store.catalog.v1.Catalog'),
    log,
  };

  const handle = consume({ db, log, wants: wantsStaff, handle: consumeStaff });
  await transport.subscribe({ group: 'inventory', topics: ['gateway.events'], handle });
  relay.start();
  life.onStop('relay', () => relay.stop());
  life.onStop('housekeeping', purgeExpired(db, log, config.EVENT_RETENTION_DAYS));
  life.onStop('ledger totals', keepCounts(db, log));

  const server = await serve({ 'store.inventory.v1.Inventory': inventoryVerbs(app) }, { listen: config.INVENTORY_LISTEN, trust, log });
  life.onStop('rpc', () => server.stop());
  return { address: server.address, stop: () => life.stop() };
}
