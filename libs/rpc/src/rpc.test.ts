import { describe, expect, jest, test } from '@jest/globals';
import { messageType } from '@store/contract';
import { invalidFields, Problem, texts } from '@store/problem';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import { problemOf } from '@store/testbed';
import fc from 'fast-check';
import { Reply } from './call.ts';
import { systemCaller } from './caller.ts';
import { client, connect, send } from './client.ts';
import { decodeProblem, encodeProblem } from './problem-metadata.ts';
import { shareService, trust } from './service.testing.ts';
import { encodeFixedPart } from './signed-caller.ts';

const service = 'store.catalog.v1.Catalog';
const rpc = `/${service}/GetProduct`;
const requestType = messageType('store.api.v1.IdRequest');
const responseType = messageType('store.catalog.v1.ProductResponse');

const shared = shareService(service, 'GetProduct');
const product = async () => ({ product: { id: 7 } });
const throws = (error: Error) => async () => {
  throw error;
};
const caller = systemCaller(1);
const from = { fixedPart: encodeFixedPart(caller), request: caller };
const get = (request: { id: string } = { id: '7' }, deadlineMs = Date.now() + 30_000) =>
  client<CatalogDefinition>(shared.channel, service).GetProduct(request, { caller, deadlineMs });

test('a call takes no stack trace, and those of errors around it are whole', async () => {
  shared.verb = product;
  const depth = Error.stackTraceLimit;
  const makeUnaryRequest = jest.spyOn(shared.channel.grpc, 'makeUnaryRequest');
  let during: number | undefined;
  makeUnaryRequest.mockImplementationOnce((...args: unknown[]) => {
    during = Error.stackTraceLimit;
    makeUnaryRequest.mockRestore();
    return (shared.channel.grpc.makeUnaryRequest as (...args: unknown[]) => never)(...args);
  });
  expect(await get()).toMatchObject({ product: { id: '7' } });
  expect([during, Error.stackTraceLimit]).toEqual([0, depth]);
});

describe('a Problem', () => {
  test('crosses gRPC intact: kind, text, field errors, code, details, headers, body', async () => {
    const thrown = new Problem('conflict', 'Ünïcode “text”', {
      errors: { name: ["can't be blank"] },
      code: 'feature_not_enabled',
      details: 'sku has already been taken',
      body: { success: false, updated_count: 1, errors: [{ id: 1, name: null }] },
      headers: { 'Idempotency-Replayed': 'true' },
    });
    shared.verb = throws(thrown);
    const received = await problemOf(get());
    const parts = ({ kind, message, extra }: Problem) => ({ kind, message, extra });
    expect(parts(received)).toEqual(parts(thrown));
  });

  test('of megabytes crosses too, and the connection serves the next call', async () => {
    const errors = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'ü'.repeat(255), errors: ["Price can't be blank"] }));
    const thrown = new Problem('invalid', 'Some products could not be updated', { body: { success: false, errors } });
    shared.verb = throws(thrown);
    const received = await problemOf(get());
    expect(received.kind).toBe('invalid');
    expect(received.extra).toEqual(thrown.extra);
    expect(shared.logged).toEqual([]);
    shared.verb = product;
    expect(await get()).toMatchObject({ product: { id: '7' } });
  });

  test('of a request is not logged as an internal failure', async () => {
    shared.verb = throws(invalidFields({ name: ["can't be blank"] }));
    await problemOf(get());
    expect(shared.logged).toEqual([]);
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
  test('of a verb is the unexpected 500 without its message, logged with request id', async () => {
    shared.verb = throws(new Error('password=hunter2'));
    const received = await problemOf(get());
    expect([received.kind, received.message]).toEqual(['unavailable', texts.unexpected]);
    expect(JSON.stringify(received)).not.toContain('hunter2');
    expect(shared.logged).toEqual([expect.objectContaining({ rpc, request_id: 'system' })]);
  });

  test('of a verb does not end the process: the next call is answered', async () => {
    shared.verb = () => Promise.reject(new TypeError('x is undefined'));
    await problemOf(get());
    shared.verb = product;
    await expect(get()).resolves.toMatchObject({ product: { id: '7' } });
  });

  test('of a verb that throws before its first await is answered too', async () => {
    shared.verb = () => {
      throw new TypeError('at once');
    };
    expect((await problemOf(get())).kind).toBe('unavailable');
  });

  test('to answer before the deadline is `unavailable` (D175)', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    shared.verb = () => promise;
    const received = await problemOf(get({ id: '7' }, Date.now() + 120));
    expect([received.kind, received.message]).toEqual(['unavailable', texts.unexpected]);
    answer({});
  });

  test('to reach the service is `unavailable`', async () => {
    const nobody = connect('127.0.0.1:1', trust);
    const call = client<CatalogDefinition>(nobody, service).GetProduct({ id: '7' }, { caller, deadlineMs: Date.now() + 30_000 });
    expect((await problemOf(call)).kind).toBe('unavailable');
    nobody.close();
  });

  test('to give a deadline is refused before anything is sent', async () => {
    const sent = send(shared.channel, rpc, Buffer.alloc(0), from, Number.POSITIVE_INFINITY);
    expect(((await problemOf(sent)).cause as Error).message).toContain('deadline');
  });
});

test('a verb sees the caller and the deadline of its call', async () => {
  const sentAtMs = Date.now();
  const deadlineMs = sentAtMs + 30_000;
  shared.verb = async (request, call) => {
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
  const sent = () => send(shared.channel, rpc, Buffer.from(requestType.encode({ id: '7' }).finish()), from, Date.now() + 30_000);

  test('carries its status and its headers', async () => {
    shared.verb = async () => new Reply({ product: { id: 7 } }, { status: 207, headers: { 'X-Truncated': 'true' } });
    const answer = await sent();
    expect([answer.status, answer.headers]).toEqual([207, [['x-truncated', 'true']]]);
    expect(responseType.toObject(responseType.decode(answer.bytes), { longs: Number })).toMatchObject({ product: { id: 7 } });
  });

  test('replays stored bytes unchanged', async () => {
    const bytes = responseType.encode({ product: { id: 9 } }).finish();
    shared.verb = async () => new Reply(undefined, { status: 201, bytes });
    expect(Buffer.compare((await sent()).bytes, Buffer.from(bytes))).toBe(0);
  });

  test('without options leaves the status to the endpoint', async () => {
    shared.verb = async () => ({});
    expect(await sent()).toMatchObject({ status: undefined, headers: [] });
  });
});
