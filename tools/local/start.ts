/**
 * `npm start`: PostgreSQL, every service in one process, and a demo store; it needs only Node and
 * npm. It prints everything that the first request needs.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { openLog, surviveRejections } from '@store/service';
import { demoStore, welcome } from '../demo/demo-store.ts';
import { datePolicyOf, loadBehind } from '../demo/history/demo-history.ts';
import { adminFolder, buildBehind } from './admin-panel.ts';
import { blockedWebhooks } from './blocked-webhooks.ts';
import { dataDir, writeJson } from './data-dir.ts';
import { foreground } from './foreground.ts';
import { listenCaForStart } from './listen-ca.ts';
import { localSecrets } from './local-secrets.ts';
import { startPostgres } from './postgres.ts';
import { startServices } from './services.ts';

const usage = `npm start: the store API with a demo store, on this machine.

  GATEWAY_PORT      port of the API (default 3000)
  GATEWAY_HOST      address it listens on (default 127.0.0.1)
  STORE_DATA_DIR    where data is kept between starts (default .data)
  DATABASE_URL      your own PostgreSQL instead of the embedded one
  DEMO_HISTORY      past of the demo store: shifted (its last day is today, the default), kept (December 2010) or none
  LOG_LEVEL         least severe log lines in <data>/store.log (default info)

Every service's own settings are read from the environment too.`;

if (process.argv.includes('--help')) console.log(usage);
else {
  await foreground(async ({ onStop }) => {
    const dates = datePolicyOf(process.env);
    const dir = dataDir();
    listenCaForStart(dir, process.env.WEBHOOK_CA_FILE);
    const url = process.env.DATABASE_URL || (await embeddedPostgres(dir, onStop));
    const urlFile = path.join(dir, 'postgres.json');
    writeJson(urlFile, { url });
    onStop(() => rmSync(urlFile, { force: true }));
    const panel = { ADMIN_FILES: adminFolder() };
    const env: NodeJS.ProcessEnv = { GATEWAY_PORT: '3000', ...panel, ...localSecrets(dir), ...process.env, DATABASE_URL: url };
    const services = await startServices(env, { logFile: path.join(dir, 'store.log') });
    onStop(() => services.stop());
    surviveRejections(openLog('store', process.env.LOG_LEVEL ?? 'info', path.join(dir, 'store.log')));
    const demo = await demoStore({ dir, url, baseUrl: services.baseUrl, adminServed: true });
    if (demo) {
      welcome(demo);
      const allowed = process.env.WEBHOOK_ALLOW_CIDRS ?? '';
      for (const sentence of await blockedWebhooks({ url, email: demo.staff.email, allowed })) console.log(`\n${sentence}`);
    }
    buildBehind({ onStop }, env);
    if (demo) loadBehind({ onStop }, { dir, demo, dates });
  });
}

async function embeddedPostgres(dir: string, onStop: (stop: () => Promise<void>) => void): Promise<string> {
  const postgres = await startPostgres({ dataDir: path.join(dir, 'postgres'), durable: true, log: (line) => console.log(line) });
  onStop(() => postgres.stop());
  return postgres.url;
}
