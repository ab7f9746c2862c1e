import { openDb } from '@store/db';
import type { WebhooksDefinition } from '@store/protos/webhooks/v1.ts';
import { demandNamedKeys, type ServiceParts } from '@store/service';
import { paced } from '@store/shares/asker';
import { showLastBackup } from './backups/backup.ts';
import type { own } from './config.ts';
import type { Gateway } from './gateway.ts';
import { openKeyGate } from './key-gate/open-key-gate.ts';
import { countKeyGate } from './key-gate/with-fallback.ts';
import { keyHashesOfStore } from './keys/find-key.ts';
import { KeyUsage } from './keys/key-usage.ts';
import { demandSamePeppers } from './keys/same-peppers.ts';
import { RefusalLog } from './requests/refusal-log.ts';
import { RequestLog } from './requests/request-log.ts';
import { hashedKeys, sealedRows } from './sealed.ts';
import { openPasswords } from './staff/passwords.ts';
import { CacheValidity } from './stores/cache-validity.ts';
import { listenForChanges } from './stores/change-notices.ts';
import { entities } from './tables.ts';

/** Reports of staff wait only for each other. */
const reportConnections = 2;

export async function openGateway({
  config,
  database,
  db,
  outbox,
  log,
  life,
  trust,
  metrics,
  client,
}: ServiceParts<typeof own>): Promise<Gateway> {
  await demandNamedKeys(db, [
    ...sealedRows.map((rows) => ({ ...rows, setting: 'SECRET_KEYS', ids: config.SECRET_KEYS.ids })),
    hashedKeys(config.KEY_PEPPERS),
  ]);
  await demandSamePeppers(db, config.KEY_PEPPERS);
  const cacheValidity = new CacheValidity(config.REDIS_URL !== '');
  const keyGate = await openKeyGate({
    url: config.REDIS_URL,
    ca: config.REDIS_CA_FILE,
    pepper: config.KEY_PEPPERS[0]!.secret,
    clock: db.clock,
    log,
    onMemoryLost: () => cacheValidity.memoryLost(),
  });
  life.onStop('key gate', () => keyGate.stop());
  if (metrics && keyGate.counts) countKeyGate(metrics, keyGate.counts);
  if (metrics) showLastBackup(metrics);
  const listener = {
    onKeys: (hashes: string[]) => keyGate.forget(hashes),
    onStore: async (storeId: number) => keyGate.forget(await keyHashesOfStore(db, storeId)),
    onConnected: () => cacheValidity.connected(),
    onLost: () => cacheValidity.lost(),
  };
  const notices = listenForChanges(database.sessionUrl, listener, log);
  life.onStop('change notices', () => notices.stop());
  const reports = await openDb({
    url: database.url,
    isPooled: database.isPooled,
    schema: 'gateway',
    entities,
    poolMax: reportConnections,
    clock: db.clock,
  });
  life.onStop('reports', () => reports.close());
  return {
    db,
    reports: { read: async (query, values, options) => paced(() => reports.read(query, values, options)) },
    outbox,
    keyGate,
    cacheValidity,
    usage: new KeyUsage(db),
    requests: new RequestLog(db, log),
    refusals: new RefusalLog(db.clock, log),
    passwords: openPasswords(config.PASSWORD_SCRYPT_COST),
    webhooks: client<WebhooksDefinition>('webhooks'),
    config: { peppers: config.KEY_PEPPERS, keyRing: config.SECRET_KEYS },
    trust: trust.toward('webhooks'),
    log,
  };
}
