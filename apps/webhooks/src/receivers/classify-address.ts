/**
 * Which IP addresses a webhook may be sent to (docs/contract.md, Where a webhook may be sent). IPv4 is public unless listed here.
 * IPv6 is the opposite: only global unicast is public, with exceptions, so that every form
 * which contains an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is refused without decoding.
 */
import { BlockList, isIP } from 'node:net';

/** `allowed` is an address that only WEBHOOK_ALLOW_CIDRS lets through (D153). */
type AddressVerdict = 'public' | 'allowed' | 'blocked';

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

const familyOf = (version: number) => (version === 4 ? 'ipv4' : 'ipv6');

/** Parses ranges such as `10.0.0.0/8`, `fd00::/8` or a single address; throws an Error that names the one at fault. */
export function readRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(range.trim()) ?? [];
    const version = plainVersion(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || Number(prefix ?? bits) > bits) throw new Error(`${range} is no address range such as 10.0.0.0/8`);
    list.addSubnet(address, Number(prefix ?? bits), familyOf(version));
  }
  return list;
}

const blocked = readRanges([...blockedIpv4, ...blockedIpv6]);
const publicUnicast = readRanges([publicIpv6]);
const none = new BlockList();

/** Classifies an address given as text; text that is not a plain address is blocked, and so are the ranges of `deny`. */
export function classifyAddress(text: string, allow = none, deny = none): AddressVerdict {
  const version = plainVersion(text);
  if (version === 0) return 'blocked';
  // A list also finds the mapped form of its IPv4 addresses (D153).
  const isIn = (list: BlockList) => list.check(text, familyOf(version));
  if (isIn(deny)) return 'blocked';
  if ((version === 4 || isIn(publicUnicast)) && !isIn(blocked)) return 'public';
  return isIn(allow) ? 'allowed' : 'blocked';
}

/** 4 or 6; 0: no address, or one with a zone, which names an interface of this machine. */
function plainVersion(text: string): number {
  return text.includes('%') ? 0 : isIP(text);
}
