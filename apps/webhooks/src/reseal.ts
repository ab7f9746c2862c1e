/** `reseal`, a command of webhooks: re-encrypts under the newest of SECRET_KEYS, and lists old keys that can be removed. */
import { printUsage, readConfig, resealApp, resealUsage, serviceSettings } from '@store/service';
import { ownSettings } from './config.ts';
import { sealedRows } from './sealed.ts';

const { DATABASE_URL } = serviceSettings;
const { SECRET_KEYS } = ownSettings;

export async function reseal(args: string[] = []): Promise<boolean> {
  if (args.includes('--help')) return printUsage(resealUsage('DATABASE_URL and SECRET_KEYS'));
  const config = readConfig({ DATABASE_URL, SECRET_KEYS }, process.env);
  return resealApp({ app: 'webhooks', url: config.DATABASE_URL, ring: config.SECRET_KEYS, rows: sealedRows, say: console.log });
}
