/**
 * Loaded before an app: a name that ends in `.pods` has the addresses of the processes that are ready, as that of a headless
 * Service has. POD_NAMES is the file that lists them.
 */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const { lookup } = dns.promises;

async function lookUp(host: string, options: dns.LookupAllOptions): Promise<dns.LookupAddress[]> {
  if (!host.endsWith('.pods')) return lookup(host, options);
  const names = JSON.parse(readFileSync(process.env.POD_NAMES!, 'utf8')) as Record<string, string[]>;
  const addresses = names[host] ?? [];
  if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: 4 }));
}

dns.promises.lookup = lookUp as typeof lookup;
