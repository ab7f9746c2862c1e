/** A service's gRPC port under calls from an untrusted client: raw clients with arbitrary headers. */
import { createHash, randomBytes } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { Client, type ClientOptions, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messageType } from '@store/contract';
import fc from 'fast-check';
import { systemCaller } from './caller.ts';
import { connect, send } from './client.ts';
import { type RpcServer, serve } from './server.ts';
import { clockSkewMaxMs, ServiceKeys, signatureValidMs } from './service-keys.ts';
import { encodeFixedPart, signCaller } from './signed-caller.ts';

const service = 'store.catalog.v1.Catalog';
const rpc = `/${service}/GetProduct`;
const message = Buffer.from(messageType('store.api.v1.IdRequest').encode({ id: '7' }).finish());
/** Not an IdRequest: decoding it would answer INTERNAL. */
const undecodable = Buffer.from([0xff, 0xff]);

let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = { now: () => new Date(nowMs) };
const old = { id: 1, secret: randomBytes(32) };
const newest = { id: 2, secret: randomBytes(32) };
const keys = new ServiceKeys([newest, old], clock);
const caller = systemCaller(1);
const fixedPart = encodeFixedPart(caller);

let server: RpcServer;
let stranger: Client;
let asked = 0;
const logged: string[] = [];

function newClient(options: ClientOptions = {}): Client {
  return new Client(server.address, credentials.createInsecure(), options);
}

beforeAll(async () => {
  const verb = async () => {
    asked += 1;
    return {};
  };
  const verbs = { GetProduct: verb, DeleteProduct: verb };
  const log = { error: (_fields: object, text: string) => void logged.push(text) };
  server = await serve({ [service]: verbs }, { listen: '127.0.0.1:0', trust: { keys }, log });
  stranger = newClient();
});
afterAll(async () => {
  stranger.close();
  await server.stop(1_000);
});
beforeEach(() => {
  asked = 0;
});

const same = (bytes: Buffer) => bytes;

/** The refusal of a raw call, or undefined when it was answered. */
function refusal(metadata: Metadata, { path = rpc, bytes = undecodable, client = stranger } = {}): Promise<ServiceError | null> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, bytes, metadata, { deadline: Date.now() + 30_000 }, resolve);
  });
}

function metadataOf(parts: Record<string, (Buffer | string)[]>): Metadata {
  const metadata = new Metadata();
  for (const [name, values] of Object.entries(parts)) for (const value of values) metadata.add(name, value);
  return metadata;
}

/** The three headers that a process of this system sends. */
function signedHeaders({ ring = keys, from = fixedPart, target = rpc } = {}): Record<string, Buffer[]> {
  const signed = signCaller(ring, from, caller, target);
  return { 'caller-bin': [signed.fixedPart], 'request-bin': [signed.requestPart], 'signature-bin': [signed.signature] };
}

const good = signedHeaders();
const strangers: Record<string, () => Record<string, Buffer[]>> = {
  'nothing at all': () => ({}),
  'a caller without a signature': () => ({ ...good, 'signature-bin': [] }),
  'a caller in one piece, as it once was believed': () => ({ 'caller-bin': [fixedPart.bytes] }),
  'a signature without a caller': () => ({ ...good, 'caller-bin': [] }),
  'no request part': () => ({ ...good, 'request-bin': [] }),
  'the signature of another ring': () => signedHeaders({ ring: new ServiceKeys([{ id: 2, secret: randomBytes(32) }], clock) }),
  'a key that the ring does not have': () => signedHeaders({ ring: new ServiceKeys([{ id: 9, secret: old.secret }], clock) }),
  'a signature that was made for another rpc': () => signedHeaders({ target: `/${service}/ListProducts` }),
  'a signature for a rpc whose name begins like this one': () => signedHeaders({ target: `${rpc}s` }),
  'another store under the signature of this one': () => ({ ...good, 'caller-bin': [encodeFixedPart(systemCaller(2)).bytes] }),
  'another request under the signature of this one': () => ({ ...good, 'request-bin': [Buffer.from([0x12, 0x01, 0x41])] }),
  'an expired signature': () => {
    const past = new ServiceKeys([newest], { now: () => new Date(nowMs - signatureValidMs - clockSkewMaxMs - 1) });
    return signedHeaders({ ring: past });
  },
  'a signature cut short': () => ({ ...good, 'signature-bin': [good['signature-bin']![0]!.subarray(0, 41)] }),
  'two callers': () => ({ ...good, 'caller-bin': [fixedPart.bytes, fixedPart.bytes] }),
  'two signatures': () => ({ ...good, 'signature-bin': [good['signature-bin']![0]!, good['signature-bin']![0]!] }),
  'garbage for a caller': () => ({ ...good, 'caller-bin': [randomBytes(300)] }),
  'a signed protobuf that is no caller': () => signedHeaders({ from: encodedOf(message) }),
  'signed garbage': () => signedHeaders({ from: encodedOf(Buffer.from([0xff, 0xff, 0xff])) }),
  'an empty caller that is signed': () => signedHeaders({ from: encodedOf(Buffer.alloc(0)) }),
  'a caller of 24 KB': () => ({ ...good, 'caller-bin': [randomBytes(24_000)] }),
};

function encodedOf(bytes: Buffer) {
  return { ...encodeFixedPart(caller), bytes, digest: createHash('sha256').update(bytes).digest() };
}

describe('a service refuses a call without its caller', () => {
  let expected: ServiceError;
  beforeAll(async () => {
    expected = (await refusal(new Metadata()))!;
  });

  test.each(Object.keys(strangers))('%s: the same Problem, and neither is the message decoded nor the verb asked', async (name) => {
    const error = (await refusal(metadataOf(strangers[name]!())))!;
    expect(error.code).toBe(status.UNAUTHENTICATED);
    expect(error.metadata.get('problem-bin')).toEqual(expected.metadata.get('problem-bin'));
    expect(error.details).toBe(expected.details);
    expect(asked).toBe(0);
  });

  test('a valid caller is answered, by the newest key and by an older one in the ring', async () => {
    expect(await refusal(metadataOf(good), { bytes: message })).toBeNull();
    expect(await refusal(metadataOf(signedHeaders({ ring: new ServiceKeys([old], clock) })), { bytes: message })).toBeNull();
    expect(asked).toBe(2);
  });

  test('a signature seen on the network is valid for its rpc only, for a minute', async () => {
    const recorded = metadataOf(good);
    expect((await refusal(recorded, { path: `/${service}/DeleteProduct` }))!.code).toBe(status.UNAUTHENTICATED);
    nowMs += signatureValidMs + clockSkewMaxMs + 1;
    expect((await refusal(recorded))!.code).toBe(status.UNAUTHENTICATED);
    nowMs -= signatureValidMs + clockSkewMaxMs + 1;
    expect(asked).toBe(0);
  });

  test('a message of 15 MB is refused by its headers, before it is read', async () => {
    const client = newClient({ 'grpc.max_send_message_length': -1 });
    expect((await refusal(new Metadata(), { bytes: Buffer.alloc(15_000_000), client }))!.code).toBe(status.UNAUTHENTICATED);
    client.close();
  });
});

describe('no header crashes the service', () => {
  const odd = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...Object.values(good).map(([value]) => value!)),
  );
  const headers = fc.dictionary(
    fc.constantFrom('caller-bin', 'request-bin', 'signature-bin', 'grpc-trace-bin'),
    fc.array(odd, { maxLength: 3 }),
  );

  test('random callers, parts and signatures each get an answer, a valid call too', async () => {
    await fc.assert(
      fc.asyncProperty(headers, async (parts) => {
        const error = await refusal(metadataOf(parts));
        // The three valid values may by chance be in the right places; the message is then read and fails to decode.
        expect([status.UNAUTHENTICATED, status.INTERNAL]).toContain(error?.code);
      }),
      { numRuns: 300 },
    );
    expect(await refusal(metadataOf(good), { bytes: message })).toBeNull();
    expect(asked).toBe(1);
  });

  test('header values that are no base64, and more headers than HTTP/2 allows', async () => {
    const raw = connectHttp2(`http://${server.address}`);
    raw.on('error', () => undefined);
    const values = ['%%%', '====', 'AAAA, ,AAAA', ',', 'A', 'A'.repeat(60_000), 'A'.repeat(200_000)];
    for (const value of values) {
      const head = { ':method': 'POST', ':path': rpc, 'content-type': 'application/grpc', te: 'trailers' };
      const stream = raw.request({ ...head, 'caller-bin': value });
      const answered = new Promise<unknown>((resolve) => {
        stream.on('response', (answer) => resolve(answer['grpc-status']));
        stream.on('error', () => resolve('reset'));
        stream.on('close', () => resolve('closed'));
      });
      stream.end();
      expect([String(status.UNAUTHENTICATED), 'reset', 'closed']).toContain(await answered);
    }
    raw.destroy();
    expect(await refusal(metadataOf(good), { bytes: message })).toBeNull();
  });

  test('a flood of untrusted calls fills no log: the 1st, 10th and 100th are logged', () => {
    const lines = logged.filter((text) => text === 'A call without its caller was refused');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThan(5);
  });
});

test('a refused gateway signature is not shown to the client, whose key is fine', async () => {
  const channel = connect(server.address, { keys: new ServiceKeys([{ id: 2, secret: randomBytes(32) }], clock) });
  const answer = send(channel, rpc, message, { fixedPart, request: caller }, Date.now() + 30_000);
  await expect(answer).rejects.toMatchObject({ kind: 'unavailable', cause: { message: expect.stringContaining('_KEYS') } });
  channel.close();
});
