/** A scripted name server on this machine, over UDP like real ones. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface DnsAnswer {
  addresses?: string[];
  /** The canonical name of the addresses; the answer then starts with a CNAME record. */
  cname?: string;
  /** 2 SERVFAIL, 3 NXDOMAIN. */
  rcode?: number;
  /** Milliseconds until it answers; Infinity: never. */
  afterMs?: number;
}

export type DnsScript = (name: string, type: 'A' | 'AAAA') => DnsAnswer;

export interface FakeDns {
  /** address:port, for openResolver. */
  server: string;
  /** Questions so far, such as "A hooks.example.org". */
  asked: string[];
  script: DnsScript;
  close(): Promise<void>;
}

export async function fakeDns(): Promise<FakeDns> {
  const socket = createSocket('udp4');
  const timers = new Set<NodeJS.Timeout>();
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const dns: FakeDns = {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked: [],
    script: () => ({ rcode: 3 }),
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end) === 28 ? 'AAAA' : 'A';
    dns.asked.push(`${type} ${name}`);
    const answer = dns.script(name, type);
    if (answer.afterMs === Number.POSITIVE_INFINITY) return;
    const reply = response(query.subarray(0, end + 4), type, answer);
    timers.add(setTimeout(() => socket.send(reply, from.port, from.address), answer.afterMs ?? 0));
  });
  return dns;
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  while (query[at] !== 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + query[at]!));
    at += 1 + query[at]!;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function response(question: Buffer, type: 'A' | 'AAAA', { addresses = [], cname, rcode = 0 }: DnsAnswer): Buffer {
  const records: Buffer[] = [];
  // 0xc00c points at the question's own name.
  let owner: Buffer = Buffer.of(0xc0, 0x0c);
  if (cname) {
    records.push(record(owner, 5, encodeName(cname)));
    owner = encodeName(cname);
  }
  for (const address of addresses) records.push(record(owner, type === 'A' ? 1 : 28, addressBytes(address)));
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | rcode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

/** Every record with TTL 0, as a rebinding attacker has them. */
function record(owner: Buffer, type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(value.length, 8);
  return Buffer.concat([owner, head, value]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label, 'ascii')]);
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** IPv6 with all eight groups written out, as no test needs more. */
function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
