/** `reseal`, a command of the gateway: re-encrypts under the newest of SECRET_KEYS, and lists removable keys and peppers. */
import { printUsage, readConfig, resealApp, resealUsage, serviceSettings } from '@store/service';
import { own } from './config.ts';
import { hashedKeys, sealedRows } from './sealed.ts';

const { DATABASE_URL } = serviceSettings;
const { KEY_PEPPERS, SECRET_KEYS } = own;

export async function reseal(args: string[] = []): Promise<boolean> {
  if (args.includes('--help')) return printUsage(resealUsage('DATABASE_URL, KEY_PEPPERS and SECRET_KEYS'));
  const config = readConfig({ DATABASE_URL, KEY_PEPPERS, SECRET_KEYS }, process.env);
  const others = [hashedKeys(config.KEY_PEPPERS)];
  return resealApp({ app: 'gateway', url: config.DATABASE_URL, ring: config.SECRET_KEYS, rows: sealedRows, others, say: console.log });
}
