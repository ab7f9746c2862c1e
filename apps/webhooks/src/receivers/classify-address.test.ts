import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyAddress, readRanges } from './classify-address.ts';

/** Where a webhook may be sent (docs/contract.md), listed again here: a range missing in the code is detected. */
const blockedIpv4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`.split(/\s+/);
const publicIpv6 = '2000::/3';
const blockedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

type Family = 4 | 6;
const widthOf = { 4: 32, 6: 128 } as const;
const allOf = (family: Family) => 1n << BigInt(widthOf[family]);

/** An address as its text and its bits, implemented without the code under test. */
function written(family: Family, bits: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  return [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((group) => ((bits >> (group * 16n)) & 0xffffn).toString(16)).join(':');
}
function read(address: string): { family: Family; bits: bigint } {
  const joined = (parts: string[], base: bigint, prefix: string) =>
    parts.reduce((sum, part) => sum * base + BigInt(`${prefix}${part}`), 0n);
  if (!address.includes(':')) return { family: 4, bits: joined(address.split('.'), 256n, '') };
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return { family: 6, bits: joined([...head, ...zeros, ...tail], 65_536n, '0x') };
}

/** The first address of a range and the first after it. */
function bounds(range: string): { family: Family; first: bigint; end: bigint } {
  const [address, prefix] = range.split('/');
  const { family, bits } = read(address!);
  const size = 1n << BigInt(widthOf[family] - Number(prefix));
  const first = (bits / size) * size;
  return { family, first, end: first + size };
}

/** Addresses at the edges of a range, and their outside neighbours. */
function edges(range: string): { inside: string[]; outside: string[] } {
  const { family, first, end } = bounds(range);
  const inside = [first, (first + end) / 2n, end - 1n].map((at) => written(family, at));
  const outside = [first - 1n, end].filter((at) => at >= 0n && at < allOf(family)).map((at) => written(family, at));
  return { inside, outside };
}

function inAny(ranges: readonly string[], address: string): boolean {
  const { family, bits } = read(address);
  return ranges.map(bounds).some((range) => range.family === family && bits >= range.first && bits < range.end);
}

describe('P15: the address', () => {
  test.each(blockedIpv4)('%s is blocked from first to last and not beyond, in every form that contains it', (range) => {
    const { inside, outside } = edges(range);
    for (const address of inside) {
      const { bits } = read(address);
      const hex = `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
      const forms = `::ffff:${address} ::ffff:${hex} ::${hex} ::ffff:0:${hex} 64:ff9b::${hex} 64:ff9b:1::${hex} 2002:${hex}:: 2001:0:${hex}::`;
      for (const form of [address, ...forms.split(' ')]) expect([form, classifyAddress(form)]).toEqual([form, 'blocked']);
    }
    for (const address of outside)
      expect([address, classifyAddress(address)]).toEqual([address, inAny(blockedIpv4, address) ? 'blocked' : 'public']);
  });

  test.each(blockedIpv6)('%s is blocked from its first address to its last and not beyond', (range) => {
    const { inside, outside } = edges(range);
    for (const address of inside) expect([address, classifyAddress(address)]).toEqual([address, 'blocked']);
    for (const address of outside) {
      const isPublic = inAny([publicIpv6], address) && !inAny(blockedIpv6, address);
      expect([address, classifyAddress(address)]).toEqual([address, isPublic ? 'public' : 'blocked']);
    }
  });

  test.each([
    ...['::', '::1', '::7f00:1', '::ffff:8.8.8.8', '64:ff9b::808:808', '64:ff9b:1::a00:1', '100::1', '100:0:0:1::1', '5f00::1'],
    ...['fc00::1', 'fd00:ec2::254', 'fd7a:115c:a1e0::1', 'fe80::1', 'fec0::1', 'ff02::1', '1fff:ffff::', '4000::', '8000::1'],
  ])('IPv6 outside of global unicast is blocked: %s', (address) => {
    expect(classifyAddress(address)).toBe('blocked');
  });

  test.each('8.8.8.8 1.1.1.1 93.184.216.34 172.32.0.1 172.15.255.255 100.128.0.0 223.255.255.255 2606:4700:4700::1111 2a00::1'.split(' '))(
    'what the world reaches is public: %s',
    (address) => {
      expect(classifyAddress(address)).toBe('public');
    },
  );

  test.each([
    ...['', ' ', '8.8.8.8 '],
    ...'1 1.2.3 1.2.3.4.5 256.1.1.1 01.2.3.4 0x7f.0.0.1 : ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8::'.split(' '),
    ...'fe80::1%eth0 2606:4700::g 2606:12345:: 2606::1.2.3 2606::256.1.1.1 public'.split(' '),
  ])('what is no plain address is blocked: "%s"', (text) => {
    expect(classifyAddress(text)).toBe('blocked');
  });

  test('a range has the addresses of its prefix and no others', () => {
    const address = fc
      .constantFrom<Family>(4, 6)
      .chain((family) => fc.tuple(fc.constant(family), fc.bigInt(0n, allOf(family) - 1n), fc.integer({ min: 0, max: widthOf[family] })));
    fc.assert(
      fc.property(address, fc.bigInt(0n, 1n << 128n), fc.nat(128), ([family, bits, prefix], noise, shift) => {
        const range = `${written(family, bits)}/${prefix}`;
        // Differs in its last bits alone, so that it is often near the edge.
        const other = written(family, (bits ^ (noise >> BigInt(shift))) % allOf(family));
        expect(readRanges([range]).check(other, `ipv${family}`)).toBe(inAny([range], other));
      }),
    );
  });

  test('any of the 2^32 mapped addresses and of the 2^32 compatible ones is blocked', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 0xffffffffn), (bits) => {
        expect(classifyAddress(written(6, bits))).toBe('blocked');
        expect(classifyAddress(written(6, (0xffffn << 32n) | bits))).toBe('blocked');
      }),
    );
  });
});

describe('D153: WEBHOOK_ALLOW_CIDRS', () => {
  test.each([
    ['127.0.0.0/8', '127.0.0.1', 'allowed'],
    ['127.0.0.0/8', '8.8.8.8', 'public'],
    ['127.0.0.0/8', '128.0.0.0', 'public'],
    ['127.0.0.0/8', '126.255.255.255', 'public'],
    ['127.0.0.0/8', '10.0.0.1', 'blocked'],
    ['127.0.0.0/8', '::1', 'blocked'],
    // An IPv4 range covers the mapped form, and no other form that contains the address.
    ['127.0.0.0/8', '::ffff:127.0.0.1', 'allowed'],
    ['127.0.0.0/8', '::ffff:7f00:1', 'allowed'],
    ['127.0.0.0/8', '::ffff:10.0.0.1', 'blocked'],
    ['127.0.0.0/8', '64:ff9b::7f00:1', 'blocked'],
    ['127.0.0.0/8', '::7f00:1', 'blocked'],
    ['127.0.0.0/8', '2002:7f00:1::', 'blocked'],
    ['::1', '::1', 'allowed'],
    ['::1', '::2', 'blocked'],
    ['fc00::/7', 'fd00::5', 'allowed'],
    ['0.0.0.0/0', '10.9.8.7', 'allowed'],
  ])('%s lets %s be %s', (range, address, verdict) => {
    expect(classifyAddress(address, readRanges([range]))).toBe(verdict);
  });

  test.each(['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0/8'])(
    'refuses what is no range: "%s"',
    (text) => {
      expect(() => readRanges([text])).toThrow('is no address range');
    },
  );
});
