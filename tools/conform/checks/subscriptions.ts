/** Webhook subscriptions. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { Failure, holds, same } from '../outcome.ts';

const { read, write, staffWrite } = areaOf('webhooks');
const scopes = ['webhooks:manage'];
const path = '/webhook_subscriptions';

// biome-ignore lint/suspicious/noExplicitAny: a check reads bodies as a client does, without types.
async function subscribe(kit: Kit, fields: object = {}): Promise<any> {
  const webhook_subscription = { url: kit.webhookUrl, events: ['sale.voided'], ...fields };
  const answer = await kit.send('POST', path, { body: { webhook_subscription } });
  if (answer.status !== 201) throw new Failure(`POST ${path} answered ${answer.status} ${answer.text}`);
  const { id } = answer.body.data;
  kit.cleanUp(`webhook subscription ${id}`, async () => {
    const { status, text } = await kit.send('DELETE', `${path}/${id}`);
    if (status !== 200 && status !== 404) throw new Error(`${status} ${text}`);
  });
  return answer.body.data;
}

const shownKeys = ['id', 'url', 'events', 'active', 'failure_count', 'last_triggered_at', 'disabled_at', 'created_at', 'updated_at'];
const keysOf = (value: object) => Object.keys(value).sort();

const urlRule = 'A URL that is not HTTPS, or whose address is private, loopback, link-local or reserved, is refused: 422 with errors.';
const eventsRule = 'events is a non-empty list of names of the event table; webhook.test is not among them.';

const badUrls = [
  'http://example.com/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://172.16.0.1/',
  'https://169.254.169.254/latest',
  'https://localhost/',
  'https://0.0.0.0/',
  'https://[fe80::1]/',
  'https://user:secret@example.com/',
  'https://example.com:22/',
  'ftp://example.com/',
  'x',
  '',
];
const badEvents: unknown[] = [[], ['sale.created'], ['webhook.test'], ['*'], 'sale.voided', undefined];

const refusedWith = (fields: (kit: Kit) => object) => async (kit: Kit) => {
  const webhook_subscription = { url: 'https://example.com/', events: ['sale.voided'], ...fields(kit) };
  const { status, body } = await kit.send('POST', `${path}?dry_run=true`, { body: { webhook_subscription } });
  same('the answer', [status, body?.error, Array.isArray(body?.errors)], [422, 'Validation failed', true]);
};

export const subscriptionChecks = [
  read(`GET ${path}`, 'Subscriptions are listed newest first, without pages and without their secret.', scopes, async (kit) => {
    const rows: { id: number }[] = await kit.data(path);
    for (const [index, next] of rows.slice(1).entries())
      holds(rows[index]!.id > next.id, `subscription ${next.id} follows ${rows[index]!.id}`);
    for (const row of rows) same('its keys', keysOf(row), [...shownKeys].sort());
  }),
  write(`POST ${path}`, 'A subscription is 201 with its secret, which no later answer has.', scopes, async (kit) => {
    const made = await subscribe(kit);
    same('its keys', keysOf(made), [...shownKeys, 'secret'].sort());
    holds(/^whsec_[A-Za-z0-9+/]{43}=$/.test(made.secret), 'the secret is not whsec_ and 32 bytes in base64');
    for (const at of [path, `${path}/${made.id}`])
      holds(!(await kit.send('GET', at)).text.includes(made.secret), `GET ${at} shows the secret`);
  }),
  write(`POST ${path}`, 'A new subscription is active, with failure_count 0.', scopes, async (kit) => {
    const { active, failure_count, disabled_at } = await subscribe(kit);
    same('active, failure_count and disabled_at', [active, failure_count, disabled_at], [true, 0, null]);
  }),
  write(`GET ${path}/:id`, 'The detail has webhook_subscription and recent_deliveries.', scopes, async (kit) => {
    const { id } = await subscribe(kit);
    const { data } = (await kit.send('GET', `${path}/${id}`)).body;
    same(
      'its parts',
      [keysOf(data), data.webhook_subscription.id, data.recent_deliveries],
      [['recent_deliveries', 'webhook_subscription'], id, []],
    );
  }),
  write(`PATCH ${path}/:id`, 'PATCH changes url, events and active, and answers without the secret.', scopes, async (kit) => {
    const { id, url } = await subscribe(kit);
    const body = { webhook_subscription: { events: ['product.deleted'], active: false } };
    const { status, body: answered } = await kit.send('PATCH', `${path}/${id}`, { body });
    const { data } = answered;
    same(
      'the answer',
      [status, data.url, data.events, data.active, data.disabled_at, 'secret' in data],
      [200, url, ['product.deleted'], false, null, false],
    );
  }),
  write(`DELETE ${path}/:id`, 'DELETE is 200 with success and message; the subscription is 404 then.', scopes, async (kit) => {
    const { id } = await subscribe(kit);
    const { status, body } = await kit.send('DELETE', `${path}/${id}`);
    same('the answer', [status, keysOf(body.data), body.data.success], [200, ['message', 'success'], true]);
    same('the status then', (await kit.send('GET', `${path}/${id}`)).status, 404);
  }),
  write(
    `POST ${path}/:id/test`,
    'The test ping answers with success, status_code and message; 422 if it could not be delivered.',
    scopes,
    async (kit) => {
      const { id } = await subscribe(kit);
      const { status, body } = await kit.send('POST', `${path}/${id}/test`);
      holds(status === 200 || status === 422, `it answered ${status}`);
      same('its keys', keysOf(status === 200 ? body.data : body), ['message', 'status_code', 'success']);
    },
  ),
  staffWrite(`GET ${path}/:id`, "Only the creating key's own subscriptions are visible or actionable.", scopes, async (kit) => {
    const { id } = await subscribe(kit);
    const { key } = await kit.staff.key(kit, { scopes });
    const list = await kit.send('GET', path, { key });
    same("another key's list", list.body.data, []);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { webhook_subscription: { active: false } } } : {};
      same(`the status of ${method}`, (await kit.send(method, `${path}/${id}`, { key, ...body })).status, 404);
    }
  }),
  ...badUrls.map((url) =>
    write(
      `POST ${path} with the URL ${JSON.stringify(url)}`,
      urlRule,
      scopes,
      refusedWith(() => ({ url })),
    ),
  ),
  ...badEvents.map((events) =>
    write(
      `POST ${path} with the events ${JSON.stringify(events)}`,
      eventsRule,
      scopes,
      refusedWith((kit) => ({ url: kit.webhookUrl, events })),
    ),
  ),
  ...[{}, { webhook_subscription: {} }].map((body) =>
    write(`POST ${path} ${JSON.stringify(body)}`, 'A missing webhook_subscription object is a 400.', scopes, async (kit) => {
      const { status, body: answered } = await kit.send('POST', path, { body });
      same('the answer', [status, answered], [400, { error: 'param is missing or the value is empty: webhook_subscription' }]);
    }),
  ),
];
