import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { messageType } from '@store/contract';
import { invalidFields, Problem, texts } from '@store/problem';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import fc from 'fast-check';
import { type Call, Reply } from './call.ts';
import { systemCaller } from './caller.ts';
import { type Channel, client, connect, send } from './client.ts';
import { decodeProblem, encodeProblem } from './problem-metadata.ts';
import { type RpcServer, serve } from './server.ts';
import { ServiceKeys } from './service-keys.ts';
import { encodeFixedPart } from './signed-caller.ts';

const service = 'store.catalog.v1.Catalog';
const rpc = `/${service}/GetProduct`;
const requestType = messageType('store.api.v1.IdRequest');
const responseType = messageType('store.catalog.v1.ProductResponse');

type Verb = (request: { id?: string }, call: Call) => Promise<unknown>;
let verb: Verb;
let server: RpcServer;
let channel: Channel;
const logged: object[] = [];
const trust = { keys: new ServiceKeys([{ id: 1, secret: randomBytes(32) }], { now: () => new Date() }) };

beforeAll(async () => {
  const verbs = { GetProduct: (request: { id?: string }, call: Call) => verb(request, call) };
  server = await serve({ [service]: verbs }, { listen: '127.0.0.1:0', trust, log: { error: (fields) => logged.push(fields) } });
  channel = connect(server.address, trust);
});
afterAll(async () => {
  channel.close();
  await server.stop(1_000);
});
beforeEach(() => {
  logged.length = 0;
});

const caller = systemCaller(1);
const from = { fixedPart: encodeFixedPart(caller), request: caller };
const get = (request: { id: string } = { id: '7' }, deadlineMs = Date.now() + 30_000) =>
  client<CatalogDefinition>(channel, service).GetProduct(request, { caller, deadlineMs });

async function refusal(call: Promise<unknown>): Promise<Problem> {
  return call.then(
    () => {
      throw new Error('the call was answered');
    },
    (error: unknown) => error as Problem,
  );
}

test('a call takes no stack trace, and those of errors around it are whole', async () => {
  verb = async () => ({ product: { id: 7 } });
  const depth = Error.stackTraceLimit;
  const makeUnaryRequest = jest.spyOn(channel.grpc, 'makeUnaryRequest');
  let during: number | undefined;
  makeUnaryRequest.mockImplementationOnce((...args: unknown[]) => {
    during = Error.stackTraceLimit;
    makeUnaryRequest.mockRestore();
    return (channel.grpc.makeUnaryRequest as (...args: unknown[]) => never)(...args);
  });
  expect(await get()).toMatchObject({ product: { id: '7' } });
  expect([during, Error.stackTraceLimit]).toEqual([0, depth]);
});

describe('a Problem', () => {
  test('crosses gRPC intact: kind, text, field errors, code, details, headers and a whole body', async () => {
    const thrown = new Problem('conflict', 'Ünïcode “text”', {
      errors: { name: ["can't be blank"] },
      code: 'feature_not_enabled',
      details: 'sku has already been taken',
      body: { success: false, updated_count: 1, errors: [{ id: 1, name: null }] },
      headers: { 'Idempotency-Replayed': 'true' },
    });
    verb = async () => {
      throw thrown;
    };
    const received = await refusal(get());
    expect(received).toBeInstanceOf(Problem);
    expect({ kind: received.kind, message: received.message, extra: received.extra }).toEqual({
      kind: thrown.kind,
      message: thrown.message,
      extra: thrown.extra,
    });
  });

  test('of megabytes crosses too, and the connection serves the next call', async () => {
    const errors = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'ü'.repeat(255), errors: ["Price can't be blank"] }));
    const thrown = new Problem('invalid', 'Some products could not be updated', { body: { success: false, errors } });
    verb = async () => {
      throw thrown;
    };
    const received = await refusal(get());
    expect(received.kind).toBe('invalid');
    expect(received.extra).toEqual(thrown.extra);
    expect(logged).toEqual([]);
    verb = async () => ({ product: { id: 7 } });
    expect(await get()).toMatchObject({ product: { id: '7' } });
  });

  test('of a request is not logged as an internal failure', async () => {
    verb = async () => {
      throw invalidFields({ name: ["can't be blank"] });
    };
    await refusal(get());
    expect(logged).toEqual([]);
  });

  test('is decoded from its bytes unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (message, errors) => {
        const again = decodeProblem(encodeProblem(new Problem('invalid', message, { errors })));
        expect([again.kind, again.message, again.extra]).toEqual(['invalid', message, { errors }]);
      }),
    );
  });
});

describe('a failure', () => {
  test('of a verb is the unexpected 500 without its message, and is logged with the request id', async () => {
    verb = async () => {
      throw new Error('password=hunter2');
    };
    const received = await refusal(get());
    expect([received.kind, received.message]).toEqual(['unavailable', texts.unexpected]);
    expect(JSON.stringify(received)).not.toContain('hunter2');
    expect(logged).toEqual([expect.objectContaining({ rpc, request_id: 'system' })]);
  });

  test('of a verb does not end the process: the next call is answered', async () => {
    verb = () => Promise.reject(new TypeError('x is undefined'));
    await refusal(get());
    verb = async () => ({ product: { id: 7 } });
    await expect(get()).resolves.toMatchObject({ product: { id: '7' } });
  });

  test('of a verb that throws before its first await is answered too', async () => {
    verb = () => {
      throw new TypeError('at once');
    };
    expect((await refusal(get())).kind).toBe('unavailable');
  });

  test('to answer before the deadline is `unavailable` (D175)', async () => {
    let answer: (value: unknown) => void = () => undefined;
    verb = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const received = await refusal(get({ id: '7' }, Date.now() + 120));
    expect([received.kind, received.message]).toEqual(['unavailable', texts.unexpected]);
    answer({});
  });

  test('to reach the service is `unavailable`', async () => {
    const nobody = connect('127.0.0.1:1', trust);
    const call = client<CatalogDefinition>(nobody, service).GetProduct({ id: '7' }, { caller, deadlineMs: Date.now() + 30_000 });
    expect((await refusal(call)).kind).toBe('unavailable');
    nobody.close();
  });

  test('to give a deadline is refused before anything is sent', async () => {
    const sent = send(channel, rpc, Buffer.alloc(0), from, Number.POSITIVE_INFINITY);
    expect(((await refusal(sent)).cause as Error).message).toContain('deadline');
  });
});

test('a verb sees the caller and the deadline of its call', async () => {
  const sentAtMs = Date.now();
  const deadlineMs = sentAtMs + 30_000;
  verb = async (request, call) => {
    expect(request).toEqual({ id: '7' });
    expect(call.caller).toEqual(caller);
    // gRPC sends the time that is left, so the way here moves the deadline.
    const onTheWayMs = Date.now() - sentAtMs;
    expect(call.deadlineMs).toBeLessThanOrEqual(deadlineMs + onTheWayMs);
    expect(call.deadlineMs).toBeGreaterThan(deadlineMs - 1_000 - onTheWayMs);
    return {};
  };
  await get({ id: '7' }, deadlineMs);
});

describe('a Reply (D186)', () => {
  const sent = async () => {
    return send(channel, rpc, Buffer.from(requestType.encode({ id: '7' }).finish()), from, Date.now() + 30_000);
  };

  test('carries its status and its headers', async () => {
    verb = async () => new Reply({ product: { id: 7 } }, { status: 207, headers: { 'X-Truncated': 'true' } });
    const answer = await sent();
    expect([answer.status, answer.headers]).toEqual([207, [['x-truncated', 'true']]]);
    expect(responseType.toObject(responseType.decode(answer.bytes), { longs: Number })).toMatchObject({ product: { id: 7 } });
  });

  test('replays stored bytes unchanged', async () => {
    const bytes = responseType.encode({ product: { id: 9 } }).finish();
    verb = async () => new Reply(undefined, { status: 201, bytes });
    expect(Buffer.compare((await sent()).bytes, Buffer.from(bytes))).toBe(0);
  });

  test('without options leaves the status to the endpoint', async () => {
    verb = async () => ({});
    expect(await sent()).toMatchObject({ status: undefined, headers: [] });
  });
});
