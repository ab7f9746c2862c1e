import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type DnsAnswer, type FakeDns, fakeDns } from '../../test/fake-dns.ts';
import { checkUrl, type GuardOptions, urlLengthMax } from './address-guard.ts';
import { readRanges } from './classify-address.ts';
import { openResolver } from './resolve.ts';

const options = (addresses: string[] = ['93.184.216.34'], changes: Partial<GuardOptions> = {}): GuardOptions => ({
  allowCidrs: readRanges([]),
  denyCidrs: readRanges([]),
  ports: { always: [443], from: 1024 },
  connectTimeoutMs: 5_000,
  resolver: {
    resolve4: async () => addresses.filter((one) => !one.includes(':')),
    resolve6: async () => addresses.filter((one) => one.includes(':')),
  },
  ...changes,
});

const asked = () => Promise.reject(new Error('asked'));
const neverAsked: GuardOptions = options([], { resolver: { resolve4: asked, resolve6: asked } });

async function kindOf(url: string, given = options()): Promise<string> {
  const verdict = await checkUrl(url, given);
  return verdict.ok ? 'ok' : verdict.kind;
}

describe('P15: a url is let through', () => {
  test.each([
    ['https://hooks.example.org/x', 'hooks.example.org', 443],
    ['https://hooks.example.org:8443/', 'hooks.example.org', 8443],
    ['https://hooks.example.org:1024/', 'hooks.example.org', 1024],
    ['https://hooks.example.org:443', 'hooks.example.org', 443],
    ['https://hooks.example.org./x', 'hooks.example.org', 443],
    ['HTTPS://Hooks.Example.ORG/x', 'hooks.example.org', 443],
    ['https://bücher.example.org/', 'xn--bcher-kva.example.org', 443],
    ['https://my_host.example.org/', 'my_host.example.org', 443],
    ['https://a.b/?at=me@example.org', 'a.b', 443],
    ['https://a.b/p@th', 'a.b', 443],
  ])('%s', async (url, host, port) => {
    const verdict = await checkUrl(url, options());
    expect(verdict).toMatchObject({ ok: true, target: { host, port, addresses: ['93.184.216.34'] } });
  });

  test.each([
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://172.32.0.1/', '172.32.0.1'],
    ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
    ['https://0x08080808/', '8.8.8.8'],
  ])('an address literal without asking a resolver: %s', async (url, address) => {
    expect(await checkUrl(url, neverAsked)).toMatchObject({ ok: true, target: { host: address, addresses: [address] } });
  });
});

describe('P15: a url is refused, and no resolver is asked', () => {
  const refused = {
    not_https: `
      http://example.org/ ftp://example.org/ file:///etc/passwd gopher://example.org/ javascript:alert(1) wss://example.org/ //example.org/
      /x example.org https:127.0.0.1 https:/127.0.0.1 https:///127.0.0.1/ http:/localhost:9201 https:// https://?x https://#x`,
    invalid: `
      https://user:p@example.org/ https://A.com@127.0.0.1/ https://@example.org/ https://:@example.org/ https://user@example.org
      https://127.0.0.1%00.example.org/ https://256.1.1.1/ https://1.2.3.4.5/ https://[::1 https://[fe80::1%25eth0]/ https://exa%mple.org/
      https://a.b:99999/ https://example.org#@127.0.0.1/ https://example.org/# https://example.org/x?y#z https://example.org:80/
      https://example.org:22/ https://example.org:1023/ https://example.org:0/`,
    blocked: `
      https://localhost/ https://LOCALHOST./ https://foo.localhost/ https://printer/ https://printer./ https://db.local/
      https://metadata.google.internal/ https://x.onion/ https://x.test/ https://x.invalid/ https://x.example/ https://nas.home.arpa/
      https://x.lan/ https://x.corp/ https://x.localdomain/ https://a..org/ https://a!b.org/ https://a'b.org/ https://127.0.0.1/
      https://127.0.0.1./ https://127.1/ https://127.255.255.254/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/
      https://0x7f.1/ https://017700000001/ https://１２７.0.0.1/ https://%31%32%37.0.0.1/ https://127。0。0。1/ https://ⓛocalhost/
      https://169.254.169.254/ https://2852039166/ https://0xa9fea9fe/ https://169.254.170.2/ https://100.100.100.200/
      https://168.63.129.16/ https://0/ https://0.0.0.0/ https://10.0.0.1/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.1.1/
      https://255.255.255.255/ https://224.0.0.1/ https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/
      https://[::ffff:a9fe:a9fe]/ https://[::ffff:8.8.8.8]/ https://[::127.0.0.1]/ https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b::808:808]/
      https://[64:ff9b:1::a00:1]/ https://[2002:7f00:1::]/ https://[2001:0:7f00:1::]/ https://[fd00:ec2::254]/ https://[fc00::1]/
      https://[fd7a:115c:a1e0::1]/ https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/ https://[2001:db8::1]/ https://[3fff::1]/`,
  };
  /** With white space, control characters, a backslash or too long a label. */
  const odd: [keyof typeof refused, string[]][] = [
    ['not_https', ['']],
    [
      'invalid',
      [
        'https://example.org\\@127.0.0.1/',
        'https:\\\\example.org/',
        'https://example.org/a\\b',
        'https://exam\nple.org/',
        'https://exam\tple.org/',
        'https://exam\rple.org/',
        ' https://example.org/',
        'https://example.org/ ',
        'https://example.org/a b',
        'https://example.org/\u0000',
        'https://example.org/\u007f',
        'https://example.org/\u0085',
        'https://example.org/\u00a0',
        'https://exam\u2028ple.org/',
        'https://example.org/\ud800',
      ],
    ],
    ['blocked', [`https://${'a'.repeat(64)}.example.org/`, `https://${'a.'.repeat(127)}org/`, 'https://loc\u00adalhost/']],
  ];
  test.each([...Object.entries(refused).map(([kind, urls]) => [kind, urls.trim().split(/\s+/)] as const), ...odd])(
    'as %s: %j',
    async (kind, urls) => {
      for (const url of urls) expect([url, await kindOf(url, neverAsked)]).toEqual([url, kind]);
    },
  );

  test('when it is longer than 2048 characters (D146)', async () => {
    const head = 'https://hooks.example.org/';
    expect(await kindOf(head.padEnd(urlLengthMax, 'x'))).toBe('ok');
    expect(await kindOf(head.padEnd(urlLengthMax + 1, 'x'))).toBe('invalid');
  });

  test('when its port is not among those that the setting allows', async () => {
    const only443 = options(undefined, { ports: { always: [443], from: 65_536 } });
    expect(await kindOf('https://hooks.example.org:8443/', only443)).toBe('invalid');
    expect(await kindOf('https://hooks.example.org/', only443)).toBe('ok');
  });
});

describe('every address of a name is checked', () => {
  const cases: [string, string[], string][] = [
    ['one private among public ones', ['93.184.216.34', '10.0.0.5'], 'blocked'],
    ['a public IPv4 beside a private IPv6', ['93.184.216.34', 'fd00::1'], 'blocked'],
    ['a mapped loopback', ['::ffff:127.0.0.1'], 'blocked'],
    ['127.0.0.1, as of 127.0.0.1.nip.io', ['127.0.0.1'], 'blocked'],
    ['text that is no address', ['93.184.216.34', 'x'], 'blocked'],
    ['none', [], 'unresolvable'],
    ['32 public ones', Array.from({ length: 32 }, (_, n) => `93.184.216.${n}`), 'ok'],
    ['33 public ones', Array.from({ length: 33 }, (_, n) => `93.184.216.${n}`), 'blocked'],
    ['300 public ones', Array.from({ length: 300 }, (_, n) => `93.184.${n >> 8}.${n & 255}`), 'blocked'],
  ];
  test.each(cases)('%s', async (_title, addresses, expected) => {
    expect(await kindOf('https://hooks.example.org/', options(addresses))).toBe(expected);
  });

  test('the refusal reveals nothing of what the name resolved to', async () => {
    const verdict = await checkUrl('https://hooks.example.org/', options(['10.1.2.3']));
    expect(verdict).toEqual({ ok: false, kind: 'blocked', reason: 'must not resolve to a private or reserved address' });
  });

  test('all must be public or in WEBHOOK_ALLOW_CIDRS (D153)', async () => {
    const allowing = (addresses: string[]) => options(addresses, { allowCidrs: readRanges(['127.0.0.0/8', '10.0.0.0/30']) });
    expect(await kindOf('https://hooks.example.org/', allowing(['127.0.0.1', '10.0.0.3', '8.8.8.8']))).toBe('ok');
    expect(await kindOf('https://hooks.example.org/', allowing(['127.0.0.1', '10.0.0.4']))).toBe('blocked');
    expect(await kindOf('https://127.0.0.1:8443/', allowing([]))).toBe('ok');
    expect(await kindOf('https://[::ffff:127.0.0.1]:8443/', allowing([]))).toBe('ok');
    expect(await kindOf('https://[::1]:8443/', allowing([]))).toBe('blocked');
  });
});

test('WEBHOOK_DENY_CIDRS: a denied range is refused like a private one even if allowed', async () => {
  const denyCidrs = readRanges(['93.184.216.0/24', '2606:4700::/32']);
  const denying = (addresses: string[], changes: Partial<GuardOptions> = {}) => options(addresses, { denyCidrs, ...changes });
  const verdict = await checkUrl('https://hooks.example.org/', denying(['8.8.8.8', '93.184.216.34']));
  expect(verdict).toEqual({ ok: false, kind: 'blocked', reason: 'must not resolve to a private or reserved address' });
  expect(await kindOf('https://93.184.216.34/', denying([]))).toBe('blocked');
  expect(await kindOf('https://[2606:4700::1]/', denying([]))).toBe('blocked');
  const allowed = { allowCidrs: readRanges(['93.184.216.34', '::ffff:0:0/96']) };
  expect(await kindOf('https://93.184.216.34/', denying([], allowed))).toBe('blocked');
  expect(await kindOf('https://[::ffff:93.184.216.34]/', denying([], allowed))).toBe('blocked');
  expect(await kindOf('https://93.184.217.34/', denying([]))).toBe('ok');
});

describe('against a real name server', () => {
  let dns: FakeDns;
  let real: GuardOptions;
  beforeAll(async () => {
    dns = await fakeDns();
    real = options([], { resolver: openResolver([dns.server]), connectTimeoutMs: 1_500 });
  });
  beforeEach(() => {
    dns.asked.length = 0;
  });
  afterAll(() => dns.close());

  const both = (a: DnsAnswer, aaaa: DnsAnswer = {}) => {
    dns.script = (_name, type) => (type === 'A' ? a : aaaa);
    return checkUrl('https://hooks.example.org/', real);
  };

  test('A and AAAA are both asked, once, and no search domain is tried', async () => {
    const verdict = await both({ addresses: ['93.184.216.34'] }, { addresses: ['2606:4700:0:0:0:0:0:1'] });
    expect(verdict).toMatchObject({ ok: true, target: { addresses: ['93.184.216.34', '2606:4700::1'] } });
    expect(dns.asked.toSorted()).toEqual(['A hooks.example.org', 'AAAA hooks.example.org']);
  });

  test('a CNAME to a private address is blocked, one to a public address is not', async () => {
    expect(await both({ cname: 'inside.example.net', addresses: ['10.0.0.1'] })).toMatchObject({ kind: 'blocked' });
    expect(await both({ cname: 'edge.example.net', addresses: ['93.184.216.34'] })).toMatchObject({ ok: true });
  });

  test.each<[string, DnsAnswer, DnsAnswer]>([
    ['NXDOMAIN', { rcode: 3 }, { rcode: 3 }],
    ['SERVFAIL', { rcode: 2 }, { rcode: 2 }],
    ['REFUSED', { rcode: 5 }, { rcode: 5 }],
    ['an empty answer', {}, {}],
    ['a CNAME loop', { cname: 'hooks.example.org' }, { cname: 'hooks.example.org' }],
    ['no answer', { afterMs: Number.POSITIVE_INFINITY }, { afterMs: Number.POSITIVE_INFINITY }],
    ['an answer that comes too late', { addresses: ['93.184.216.34'], afterMs: 2_500 }, {}],
  ])('%s is unresolvable, in time', async (_title, a, aaaa) => {
    const startedAt = performance.now();
    expect(await both(a, aaaa)).toEqual({ ok: false, kind: 'unresolvable', reason: 'host could not be resolved' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('one address family that fails or never answers does not affect the other', async () => {
    expect(await both({ addresses: ['93.184.216.34'] }, { rcode: 2 })).toMatchObject({ ok: true });
    expect(await both({ rcode: 2 }, { addresses: ['2606:4700:0:0:0:0:0:1'] })).toMatchObject({ ok: true });
    expect(await both({ addresses: ['93.184.216.34'] }, { afterMs: Number.POSITIVE_INFINITY })).toMatchObject({ ok: true });
  });

  test('nothing is cached: a name that became private is blocked at the next check', async () => {
    expect(await both({ addresses: ['93.184.216.34'] })).toMatchObject({ ok: true });
    expect(await both({ addresses: ['127.0.0.1'] })).toMatchObject({ kind: 'blocked' });
  });
});
