/**
 * Which IP addresses a webhook may be sent to (docs/contract.md, Where a webhook may be sent). IPv4 is public unless listed here.
 * IPv6 is the opposite: only global unicast is public, with exceptions, so that every form
 * which contains an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is refused without decoding.
 */

/** `allowed` is an address that only WEBHOOK_ALLOW_CIDRS lets through (D153). */
export type AddressVerdict = 'public' | 'allowed' | 'blocked';

/** A range of addresses: those with the same first `prefix` bits. */
export interface Cidr {
  family: 4 | 6;
  bits: bigint;
  prefix: number;
}

export const blockedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

export const publicIpv6 = '2000::/3';
export const blockedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blockedRanges = [...blockedIpv4, ...blockedIpv6].map(readCidr);
const publicIpv6Range = readCidr(publicIpv6);

/** Classifies an address given as text; text that is not a plain address is blocked, and so are the ranges of `deny`. */
export function classifyAddress(text: string, allow: readonly Cidr[] = [], deny: readonly Cidr[] = []): AddressVerdict {
  const address = parseAddress(text);
  if (!address) return 'blocked';
  // D153: an IPv4 range covers the mapped form of its addresses too.
  const unmapped =
    address.family === 6 && address.bits >> 32n === 0xffffn ? { family: 4 as const, bits: address.bits & 0xffffffffn } : address;
  const isIn = (ranges: readonly Cidr[]) => ranges.some((range) => contains(range, address) || contains(range, unmapped));
  if (isIn(deny)) return 'blocked';
  const isPublic = (address.family === 4 || contains(publicIpv6Range, address)) && !blockedRanges.some((range) => contains(range, address));
  if (isPublic) return 'public';
  return isIn(allow) ? 'allowed' : 'blocked';
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; throws an Error that names the fault. */
export function readCidr(text: string): Cidr {
  const [address = '', prefixText, ...rest] = text.trim().split('/');
  const parsed = parseAddress(address);
  const most = parsed?.family === 4 ? 32 : 128;
  if (!parsed || rest.length > 0 || !/^(\d{1,3})?$/.test(prefixText ?? '') || prefixText === '' || Number(prefixText ?? most) > most) {
    throw new Error(`${text} is no address range such as 10.0.0.0/8`);
  }
  return { ...parsed, prefix: Number(prefixText ?? most) };
}

export function contains(range: Cidr, address: { family: 4 | 6; bits: bigint }): boolean {
  if (range.family !== address.family) return false;
  const shift = BigInt((range.family === 4 ? 32 : 128) - range.prefix);
  return range.bits >> shift === address.bits >> shift;
}

/** Parses the forms that a resolver and the WHATWG URL parser write: not shortened, octal or scoped ones. */
export function parseAddress(text: string): { family: 4 | 6; bits: bigint } | undefined {
  const ipv4 = parseIpv4(text);
  if (ipv4 !== undefined) return { family: 4, bits: ipv4 };
  const ipv6 = parseIpv6(text);
  return ipv6 === undefined ? undefined : { family: 6, bits: ipv6 };
}

function parseIpv4(text: string): bigint | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = withHexTail(text)?.split('::');
  if (!halves || halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...head!, ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  // `::` stands for at least one group of zeros.
  if (tail ? groups.length > 7 : groups.length !== 8) return undefined;
  const zeros = Array.from({ length: 8 - groups.length }, () => '0');
  return [...head!, ...zeros, ...(tail ?? [])].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Rewrites a dotted tail (`::ffff:127.0.0.1`) as two groups. */
function withHexTail(text: string): string | undefined {
  const start = text.lastIndexOf(':') + 1;
  if (start === 0) return undefined;
  const tail = text.slice(start);
  if (!tail.includes('.')) return text;
  const ipv4 = parseIpv4(tail);
  return ipv4 === undefined ? undefined : `${text.slice(0, start)}${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`;
}
