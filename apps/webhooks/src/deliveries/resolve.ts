/**
 * Names to addresses, by c-ares. Not by getaddrinfo: that waits in the thread pool behind password
 * hashes (measured 5.8 s, over the whole connect time), reads /etc/hosts and tries search domains.
 */
import { promises as dns } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostResolver } from './types.ts';

/** NXDOMAIN, SERVFAIL, an empty answer or none in time: the receiver's failure, retried at delivery (D150). */
export class Unresolvable extends Error {}

/** From the question to the last answer, over all retries. */
export const dnsTimeoutMs = 2_000;

/** The resolver of a process; `servers` as address:port, the machine's own when absent. */
export function openResolver(servers?: string[]): HostResolver {
  // Half of the time per try leaves room for a second one when the first question is lost.
  const resolver = new dns.Resolver({ timeout: dnsTimeoutMs / 2, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver;
}

/**
 * Every A and AAAA address of a name, asked side by side. Where only one of the two questions is
 * answered that is enough: nothing is ever connected to but what was answered here and checked.
 */
export async function resolveHost(host: string, resolver: HostResolver, timeoutMs = dnsTimeoutMs): Promise<string[]> {
  const answered = new AbortController();
  const late = sleep(timeoutMs, [] as string[], { signal: answered.signal });
  const inTime = (answer: Promise<string[]>) => Promise.race([answer.catch(() => [] as string[]), late]);
  try {
    // The absolute form: a trailing dot is what keeps any search list out.
    const answers = await Promise.all([inTime(resolver.resolve4(`${host}.`)), inTime(resolver.resolve6(`${host}.`))]);
    const addresses = answers.flat();
    if (addresses.length === 0) throw new Unresolvable(`${host} does not resolve`);
    return addresses;
  } finally {
    answered.abort();
  }
}
