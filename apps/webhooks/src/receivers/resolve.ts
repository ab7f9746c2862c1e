/** Resolves with c-ares: getaddrinfo waits behind password hashes (measured 5.8 s), reads /etc/hosts and tries search domains. */
import { promises as dns } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostResolver } from './types.ts';

/** NXDOMAIN, SERVFAIL, an empty answer or none in time: the receiver's failure, retried at delivery (D150). */
export class Unresolvable extends Error {}

/** From the question to the last answer, including retries. */
export const dnsTimeoutMs = 2_000;

/** The resolver of a process; `servers` as address:port, absent: the machine's own. */
export function openResolver(servers?: string[]): HostResolver {
  // Half of the time per try leaves room for a second try when the first question is lost.
  const resolver = new dns.Resolver({ timeout: dnsTimeoutMs / 2, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver;
}

/** All A and AAAA addresses. One of the two answers is enough: only addresses that were answered and checked are used. */
export async function resolveHost(host: string, resolver: HostResolver, timeoutMs = dnsTimeoutMs): Promise<string[]> {
  const answered = new AbortController();
  const late = sleep(timeoutMs, [] as string[], { signal: answered.signal });
  const inTime = (answer: Promise<string[]>) => Promise.race([answer.catch(() => [] as string[]), late]);
  try {
    // The absolute form: the trailing dot prevents search domains.
    const answers = await Promise.all([inTime(resolver.resolve4(`${host}.`)), inTime(resolver.resolve6(`${host}.`))]);
    const addresses = answers.flat();
    if (addresses.length === 0) throw new Unresolvable(`${host} does not resolve`);
    return addresses;
  } finally {
    answered.abort();
  }
}
