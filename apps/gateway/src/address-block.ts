/** The unit by which addresses are counted: an IPv6 subscriber has a whole /64, and could use a new address each time. */
import { isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const groupsOfBlock = 4;

/** The address itself for IPv4, also when it is mapped into IPv6; `2001:db8:0:1::/64` for IPv6. */
export function addressBlock(ip: string): string {
  const ipv4 = mapped.exec(ip)?.[1];
  if (ipv4) return ipv4;
  if (!isIPv6(ip)) return ip;
  const [head, tail] = ip.split('%')[0]!.split('::');
  const before = head === '' ? [] : head!.split(':');
  const after = tail ? tail.split(':') : [];
  // An IPv4 tail fills two groups.
  const groups = before.length + after.length + ([...before, ...after].some((group) => group.includes('.')) ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups }, () => '0');
  const all = [...before, ...zeros, ...after].slice(0, groupsOfBlock);
  return `${all.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
