/** `npm run start:services`: one process per app on PostgreSQL, Redis and Kafka, as in production. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { demoStore, welcome } from '../demo/demo-store.ts';
import { datePolicyOf, loadBehind } from '../demo/history/demo-history.ts';
import { adminFolder, buildBehind } from './admin-panel.ts';
import { startBackingServers } from './backing-servers.ts';
import { CannotStart } from './cannot-start.ts';
import { dataDir, writeJson } from './data-dir.ts';
import { startFleet } from './fleet.ts';
import { foreground } from './foreground.ts';
import { listenCaForStart } from './listen-ca.ts';
import { localSecrets } from './local-secrets.ts';

const usage = `npm run start:services: the store API, one process per app, with a demo store.

  DATABASE_URL      PostgreSQL; without it one is started here
  REDIS_URL         Redis; without it one is started here (needs redis-server)
  KAFKA_BROKERS     Kafka; without it one is started here (needs Java 17 and Maven)
  GATEWAY_PORT      port of the first gateway (default 3000)
  GATEWAYS          gateways side by side (default 1)
  HEALTH_PORT       first port of /healthz, /readyz and /metrics, one for each process (default 9090); 0: none
  DEMO_HISTORY      past of the demo store: shifted (its last day is today, the default), kept (December 2010) or none
  STORE_DATA_DIR    where data and logs are kept (default .data)

Every service's own settings are read from the environment too; logs are in <data>/services/logs.`;

const healthPortDefault = 9_090;
const portMax = 65_535;

function healthPort(): number {
  const port = Number(process.env.HEALTH_PORT ?? healthPortDefault);
  if (!Number.isInteger(port) || port < 0 || port > portMax) throw new CannotStart(`HEALTH_PORT must be a port, or 0 for none.`);
  return port;
}

if (process.argv.includes('--help')) console.log(usage);
else {
  await foreground(async ({ onStop }) => {
    const dates = datePolicyOf(process.env);
    const dir = path.join(dataDir(), 'services');
    listenCaForStart(dataDir(), process.env.WEBHOOK_CA_FILE);
    const parts = await startBackingServers(dir, true, (line) => console.log(line));
    onStop(() => parts.stop());
    const urlFile = path.join(dataDir(), 'postgres.json');
    writeJson(urlFile, { url: parts.env.DATABASE_URL });
    onStop(() => rmSync(urlFile, { force: true }));
    const env: NodeJS.ProcessEnv = { ADMIN_FILES: adminFolder(), ...localSecrets(dataDir()), ...process.env, ...parts.env };
    const fleet = await startFleet({
      env,
      logDir: path.join(dir, 'logs'),
      gateways: Number(process.env.GATEWAYS ?? 1),
      healthPort: healthPort(),
      restart: true,
      relaysYield: true,
      log: (line) => console.log(line),
    });
    onStop(() => fleet.stop());
    const baseUrl = fleet.gateways[0]!;
    const demo = await demoStore({ dir, url: parts.env.DATABASE_URL, baseUrl, adminServed: true });
    if (demo) welcome(demo);
    buildBehind({ onStop }, env);
    console.log(`\nMetrics: ${fleet.members.map(({ name, healthPort: port }) => `${name} ${port || 'none'}`).join(', ')}`);
    if (demo) loadBehind({ onStop }, { dir, demo, dates });
    if (fleet.gateways.length > 1) console.log(`\nGateways: ${fleet.gateways.join(', ')}`);
  });
}
