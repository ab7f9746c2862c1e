import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messageType, renderView } from '@store/contract';
import { sql } from '@store/db';
import { consume, type Message } from '@store/events';
import { countStatements, testMessage } from '@store/testbed';
import { adminPassword, messageOf, refusal, type Store, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { recordAudit } from './record-audit.ts';

let store: Store;
let handle: (batch: Message[]) => Promise<void>;

shareGateway();
beforeAll(async () => {
  handle = consume({ ...gateway.app, ...recordAudit });
});
beforeEach(async () => {
  store = await gateway.store();
});

const change = { action: 'product.update', resource_type: 'Product', resource_id: 7, before: { price: '1.00' }, after: { price: '2.00' } };
const webShop = () => ({ type: 'key' as const, key: { id: 12, name: 'Web shop' }, user: { id: store.adminId, name: 'Ada Admin' } });

/** A message as catalog's relay would publish it. */
function auditedEvent(more: Partial<Message> = {}, audit: object = {}): Message {
  const about = { storeId: store.storeId, name: 'product.updated', aggregate: '7', requestId: 'req-1' };
  const parts = { public: Buffer.from('{}'), internal: { audit: { ...change, ip: '192.0.2.9', ...audit } }, actor: webShop() };
  return testMessage('catalog', { ...about, ...parts, createdAt: '2026-11-21T09:31:00.000Z', ...more });
}
const list = async (request: Record<string, string> = {}, by: Pick<Store, 'session'> = store) =>
  messageOf(await gateway.verbs.ListAuditEntries(request, staffCall(by.session)));
const render = (entry: object) => JSON.parse(renderView(messageType('store.gateway.v1.AuditEntry'), entry, () => true));

describe('the audit trail', () => {
  test('an event redelivered after the inbox has forgotten it leaves one entry', async () => {
    const messages = [auditedEvent({ public: null }), auditedEvent()];
    await handle(messages);
    const ids = messages.map(({ id }) => id);
    await gateway.app.db.unit(0, (em) => sql(em, 'delete from gateway.inbox where event_id = any($1::uuid[])', [ids]));
    await handle([...messages, auditedEvent()]);
    expect((await list()).audit_entries!.filter(({ action }) => action === 'product.update')).toHaveLength(3);
  });

  test("D179: an entry has key, creating admin, what changed and the event's id", async () => {
    const message = auditedEvent();
    await handle([message]);
    const { audit_entries } = await list();
    const origin = { created_at: '2026-11-21T09:31:00.000Z', request_id: 'req-1', ip: '192.0.2.9', event_ids: [message.id] };
    expect(render(audit_entries![0]!)).toEqual({ id: expect.any(Number), actor: webShop(), ...change, ...origin });
  });

  test('a creation has no before, an internal event no event id, the system no actor', async () => {
    const actor = { type: 'system' as const, key: null, user: null };
    await handle([auditedEvent({ public: null, actor, createdAt: '2026-11-21T09:32:00.000Z' }, { before: null, ip: '' })]);
    const { audit_entries } = await list({ since: '2026-11-21T09:31:30Z' });
    expect(render(audit_entries![0]!)).toMatchObject({ before: null, event_ids: [], ip: null, actor });
  });

  test('a repetition is one entry, no audit part is none; a batch is four statements', async () => {
    const messages = Array.from({ length: 200 }, () => auditedEvent());
    const count = await countStatements(() =>
      handle([...messages, auditedEvent({ internal: { stock: { product_id: 7, stock: '1.000', version: 1 } } })]),
    );
    await handle(messages.slice(0, 50));
    expect((await list({ key_id: '12' })).pagination).toMatchObject({ total_count: 200, total_pages: 4, per_page: 50, current_page: 1 });
    expect(count).toBeLessThanOrEqual(4);
  });

  test('costs, at any depth, are shown only to staff who see financial data (Rules 4)', async () => {
    const [before, after] = [
      { price: '1.00', cost: '0.40', wholesale_price: '0.80', lines: [{ id: 1, average_cost: '0.41' }] },
      { price: '2.00', cost: '0.60', wholesale_price: null, lines: [{ id: 1, average_cost: null, note: 'the cost: 0.40' }] },
    ];
    await handle([
      auditedEvent({}, { before, after }),
      auditedEvent({ createdAt: '2026-11-21T09:30:59.000Z' }, { before: null, after: { cost: '1.00' } }),
    ]);
    const sees = async (financialData: boolean) => {
      const email = `${financialData ? 'sees' : 'blind'}-${store.storeId}@example.com`;
      const staff_user = { name: 'Max', email, password: adminPassword, role: 'manager', financial_data: String(financialData) };
      await gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session));
      const { audit_entries } = await list({ resource_type: 'Product' }, await gateway.login(email));
      return audit_entries!.map((entry) => render(entry)).map((entry) => ({ before: entry.before, after: entry.after }));
    };
    expect(await sees(true)).toEqual([
      { before, after },
      { before: null, after: { cost: '1.00' } },
    ]);
    const shown = { before: { price: '1.00', lines: [{ id: 1 }] }, after: { price: '2.00', lines: [{ id: 1, note: 'the cost: 0.40' }] } };
    expect(await sees(false)).toEqual([shown, { before: null, after: {} }]);
  });

  test("the gateway's own changes are recorded, without secrets", async () => {
    const request = { api_key: { name: 'Web shop', scopes: ['products:read'] } };
    const { key } = messageOf(await gateway.verbs.CreateApiKey(request, staffCall(store.session)));
    await gateway.drain();
    const { audit_entries } = await list();
    const actions = ['api_key.create', 'staff_user.create', 'staff_user.login', 'store.create'];
    expect(audit_entries!.map(({ action }) => action).sort()).toEqual(actions);
    const entry = audit_entries!.find(({ action }) => action === 'api_key.create')!;
    const actor = { type: 'user', key: null, user: { id: store.adminId, name: 'Ada Admin' } };
    const after = { name: 'Web shop', scopes: ['products:read'], rate_limit: 60, last4: key!.slice(-4) };
    expect(render(entry)).toMatchObject({ actor, resource_type: 'ApiKey', before: null, after, request_id: 'req-12345678' });
    expect(JSON.stringify(audit_entries)).not.toContain(key!.slice(10, 40));
  });
});

describe('GET /audit_entries', () => {
  const till = { type: 'key' as const, key: { id: 13, name: 'Till' }, user: null };
  beforeEach(async () => {
    await handle([
      auditedEvent({ createdAt: '2026-11-21T10:00:00.000Z' }),
      auditedEvent({ createdAt: '2026-11-21T10:00:01.000Z' }, { resource_id: 8 }),
      auditedEvent({ createdAt: '2026-11-21T10:00:02.000Z' }, { resource_type: 'Brand', resource_id: 7 }),
      auditedEvent({ createdAt: '2026-11-21T10:00:03.000Z', actor: till }, { resource_id: 9 }),
    ]);
  });
  const found = async (request: Record<string, string>) =>
    (await list(request)).audit_entries!.map(({ resource_type, resource_id }) => `${resource_type} ${resource_id}`);

  test.each([
    [{}, ['Product 9', 'Brand 7', 'Product 8', 'Product 7']],
    [{ key_id: '13' }, ['Product 9']],
    [{ key_id: '12', resource_type: 'Product' }, ['Product 8', 'Product 7']],
    [{ resource_type: 'Brand' }, ['Brand 7']],
    [{ resource_type: 'Product', resource_id: '7' }, ['Product 7']],
    [{ since: '2026-11-21T10:00:01.000Z' }, ['Product 9', 'Brand 7']],
    [{ since: '2026-11-21T10:00:01' }, ['Product 9', 'Brand 7']],
    [{ since: '2026-11-21T10:00:01.000 00:00' }, ['Product 9', 'Brand 7']],
    [{ key_id: 'abc' }, []],
    [{ resource_id: '99999999999999999999' }, []],
    [{ resource_type: 'a\0b' }, []],
    [{ key_id: '', resource_type: '', since: '' }, ['Product 9', 'Brand 7', 'Product 8', 'Product 7']],
    [{ page: '2', per_page: '3' }, ['Product 7']],
    [{ page: '99' }, []],
    [{ page: '-1', per_page: 'x' }, ['Product 9', 'Brand 7', 'Product 8', 'Product 7']],
  ])('newest first, %j finds %j', async (request, expected) => {
    expect(await found(request as Record<string, string>)).toEqual(expected);
  });

  test('a since that is not a time is a 422 with its message', async () => {
    expect(await refusal(list({ since: 'yesterday' }))).toEqual({ status: 422, message: 'since must be a valid timestamp', extra: {} });
  });
});
