import { expect, test } from '@jest/globals';
import { countStatements } from '@store/testbed';
import { messageOf, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { forgetOldRequests, type NewHandledRequest, RequestLog } from './request-log.ts';

shareGateway();

const handled = (more: Partial<NewHandledRequest> = {}): NewHandledRequest => ({
  ...{ store_id: store.storeId, request_id: 'request-1', method: 'GET', route: '/products', status: 200, error_code: null },
  ...{ key_id: null, user_id: store.adminId, duration_ms: 4, created_at: gateway.clock.now() },
  ...more,
});
const rowsOf = async (id: string) =>
  (await gateway.app.db.read('select from gateway.requests where store_id = $1 and request_id = $2', [store.storeId, id])).length;
const get = (request_id: string, by = store) => gateway.verbs.GetRequest({ request_id }, staffCall(by.session));

test('D206: any number of requests is written in one statement', async () => {
  const log = new RequestLog(gateway.app.db, { warn: () => undefined });
  for (let n = 0; n < 3_000; n++) log.record(handled({ request_id: 'request-many' }));
  const count = await countStatements(() => log.flush());
  // Without the transaction's own begin and commit.
  expect(count).toBeLessThanOrEqual(3);
  expect(await rowsOf('request-many')).toBe(3_000);
});

test('a failed write is retried once with the next; beyond 20,000 rows some are lost', async () => {
  const warned: object[] = [];
  const db = { ...gateway.app.db, unit: (() => Promise.reject(new Error('down'))) as typeof gateway.app.db.unit };
  const log = new RequestLog(db, { warn: (fields: object) => warned.push(fields) });
  log.record(handled({ request_id: 'request-kept' }));
  await expect(log.flush()).rejects.toThrow('down');
  for (let n = 0; n < 20_005; n++) log.record(handled({ request_id: 'request-flood' }));
  db.unit = gateway.app.db.unit;
  await log.flush();
  await log.flush();
  expect(await rowsOf('request-kept')).toBe(1);
  expect(await rowsOf('request-flood')).toBe(19_999);
  expect(warned).toEqual([{ lost: 6 }]);
});

test('GET /requests/:request_id: the newest of an id, with current names, per store', async () => {
  const { id: keyId } = await gateway.key(store);
  gateway.app.requests.record(handled({ request_id: 'request-twice' }));
  const failed = { route: null, status: 404, error_code: 'not_found', key_id: keyId, user_id: null };
  gateway.app.requests.record(handled({ request_id: 'request-twice', ...failed }));
  const { request } = messageOf(await get('request-twice'));
  const asked = { id: 'request-twice', method: 'GET', route: undefined, key: { id: keyId, name: 'Web shop' }, user: undefined };
  const answered = { status: 404, error_code: 'not_found', duration_ms: 4, created_at: gateway.clock.now().toISOString() };
  const caused = { requests_with_id: 2, audit_entries: [], audit_entry_count: 0, events: [], event_count: 0 };
  expect(request).toEqual({ ...asked, ...answered, ...caused });
  const notFound = { status: 404, message: 'Request not found', extra: {} };
  expect(await refusal(get('request-twice', await gateway.store()))).toEqual(notFound);
  for (const unknown of ['request-none', 'system', 'short', 'a\0bcdefgh', '']) expect(await refusal(get(unknown))).toEqual(notFound);
});

test('after 30 days a request is no longer shown, and its row is deleted', async () => {
  gateway.app.requests.record(handled({ request_id: 'request-old' }));
  await gateway.app.requests.flush();
  gateway.clock.advance(30 * 24 * 3_600_000);
  gateway.app.requests.record(handled({ request_id: 'request-new' }));
  expect(messageOf(await get('request-old')).request!.id).toBe('request-old');
  gateway.clock.advance(1);
  expect((await refusal(get('request-old'))).status).toBe(404);
  expect(await rowsOf('request-old')).toBe(1);
  await forgetOldRequests(gateway.app.db);
  expect([await rowsOf('request-old'), await rowsOf('request-new')]).toEqual([0, 1]);
});
