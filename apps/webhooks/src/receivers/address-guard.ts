/**
 * The address guard: the one check of a webhook's url, at save, at PATCH, at the test ping and before
 * every attempt (Spec, Webhook subscriptions: "the address is re-checked on every delivery"). Its result
 * contains the checked addresses; the attempt connects to one of those without asking
 * a resolver again, so a name that changes its answer in between (DNS rebinding) has no effect.
 */
import { isIP } from 'node:net';
import { classifyAddress } from './classify-address.ts';
import { dnsTimeoutMs, resolveHost, Unresolvable } from './resolve.ts';
import type { AttemptOptions } from './types.ts';

/** The settings that the guard needs. */
export type GuardOptions = Pick<AttemptOptions, 'allowCidrs' | 'denyCidrs' | 'resolver' | 'ports' | 'connectTimeoutMs'>;

/** The target of an attempt. */
export interface Target {
  url: URL;
  /** The name for Host, SNI and the certificate: lower case, punycode, no trailing dot, no brackets. */
  host: string;
  port: number;
  /** Checked addresses, IPv4 first; never empty. */
  addresses: string[];
}

/** This API's own host and port. */
export type OwnHost = Pick<Target, 'host' | 'port'>;

/**
 * Why a url is refused: its text, its address, or a name that does not resolve, which may
 * change. `reason` completes the sentence `Url …`.
 */
export interface Refusal {
  ok: false;
  kind: 'not_https' | 'invalid' | 'blocked' | 'unresolvable';
  reason: string;
}
type UrlVerdict = { ok: true; target: Target } | Refusal;

export const urlLengthMax = 2048;
/** More addresses than a legitimate receiver has; checking an endless list would only help an attacker. */
const addressesMax = 32;

/** Names that never lead to a public host: RFC 6761, 6762 (appendix G), 7686, 8375, 9476 and ICANN's .internal. */
const specialSuffixes = new Set([
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'],
  ...['onion', 'alt', 'test', 'invalid', 'example', 'arpa'],
]);

/** Checks the text of a url and then every address of its host. */
export async function checkUrl(text: string, options: GuardOptions): Promise<UrlVerdict> {
  const read = readUrl(text, options.ports);
  if (!('host' in read)) return read;
  const addresses = await addressesOf(read.host, options);
  if (addresses.length === 0) return refuse('unresolvable', 'host could not be resolved');
  const blocked =
    addresses.length > addressesMax ||
    addresses.some((address) => classifyAddress(address, options.allowCidrs, options.denyCidrs) === 'blocked');
  // The reason names neither the resolved address nor the denied range: it would let clients probe our own network.
  if (blocked) return refuse('blocked', 'must not resolve to a private or reserved address');
  return { ok: true, target: { ...read, addresses: addresses.toSorted((a, b) => isIP(a) - isIP(b)) } };
}

async function addressesOf(host: string, { resolver, connectTimeoutMs }: GuardOptions): Promise<string[]> {
  if (isIP(host)) return [host];
  try {
    return await resolveHost(host, resolver, Math.min(dnsTimeoutMs, connectTimeoutMs));
  } catch (error) {
    if (error instanceof Unresolvable) return [];
    throw error;
  }
}

/** Checks without a lookup. The raw text is checked before the WHATWG parser, which is too lenient. */
function readUrl(text: string, ports: AttemptOptions['ports']): Omit<Target, 'addresses'> | Refusal {
  if (text.length > urlLengthMax) return refuse('invalid', `is too long (maximum is ${urlLengthMax} characters)`);
  // The parser would drop tabs and line breaks, trim spaces and turn a backslash into a slash.
  if (/[\p{Cc}\p{Z}\\]/u.test(text) || !text.isWellFormed()) return refuse('invalid', 'must not contain spaces or control characters');
  // The parser would read https:127.0.0.1 and https:///127.0.0.1 as if the slashes were there.
  if (!/^https:\/\/[^/?#]/i.test(text)) return refuse('not_https', 'must be an HTTPS URL');
  if (!URL.canParse(text)) return refuse('invalid', 'must be an HTTPS URL');
  if (text.includes('#')) return refuse('invalid', 'must not have a fragment');
  // An empty user name is not visible in the parsed URL, so the raw authority is checked.
  const authority = text.slice('https://'.length).split(/[/?]/, 1)[0]!;
  if (authority.includes('@')) return refuse('invalid', 'must not contain a user name or password');
  const url = new URL(text);
  const port = Number(url.port || 443);
  if (!ports.always.includes(port) && port < ports.from) {
    return refuse('invalid', `must use port ${[...ports.always].join(', ')} or a port from ${ports.from}`);
  }
  const host = canonicalHost(url.hostname);
  if (isIP(host) || isPublicName(host)) return { url, host, port };
  return refuse('blocked', 'must have a public host name');
}

/** A parsed URL's host in normal form: no brackets, no trailing dot. */
export function canonicalHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** At least two labels of DNS characters, and no suffix reserved for private or special use. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  if (host.length > 253 || labels.length < 2) return false;
  return labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) && !specialSuffixes.has(labels.at(-1)!);
}

function refuse(kind: Refusal['kind'], reason: string): Refusal {
  return { ok: false, kind, reason };
}
