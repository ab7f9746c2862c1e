/** `node apps/webhooks/src/reseal.ts`: moves what is sealed to the newest of SECRET_KEYS, and says which old key may go. */
import { readConfig, resealApp, runCommand } from '@store/service';
import { settings } from './config.ts';
import { sealedRows } from './sealed.ts';

const { DATABASE_URL, SECRET_KEYS } = settings;

await runCommand(async () => {
  const config = readConfig({ DATABASE_URL, SECRET_KEYS }, process.env);
  return resealApp({ app: 'webhooks', url: config.DATABASE_URL, ring: config.SECRET_KEYS, rows: sealedRows, say: console.log });
});
