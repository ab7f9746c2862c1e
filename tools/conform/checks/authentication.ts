/** Authentication: the key, and what is refused for the want of one. */
import { areaOf, type Check } from '../check.ts';
import type { Contract } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { holds, same } from '../outcome.ts';
import type { Answer, Request } from '../site.ts';

const { read, staffWrite } = areaOf('authentication');

const noCredentials = '{"error":"Authentication required"}';
const invalidKey = '{"error":"Invalid or expired API key"}';
/** Of the form of a key, and none. */
const unknownKey = `sk_store_${'0'.repeat(49)}`;

const missingKey =
  'A request without a key is treated as a staff session\'s, and is 401 "Authentication required" if it has no session either.';
const wrongKey = 'A key that is unknown, malformed, expired or revoked is 401 "Invalid or expired API key".';
const onlyThatHeader = 'The key is read from the header X-API-Key only: in Authorization: Bearer, the query or a cookie it is a 401.';

function refused(answer: Answer, text: string): void {
  same(`the answer to ${answer.method} ${answer.path}`, [answer.status, answer.text], [401, text]);
  same('X-Error-Code', answer.headers.get('x-error-code'), 'unauthenticated');
}

/** A write without a body cannot store anything, even where it is let in. */
const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '0');

export function authenticationChecks({ operations }: Contract): Check[] {
  return [
    ...operations.map(({ method, path }) =>
      read(`${method} ${path}`, missingKey, [], async (kit) => refused(await kit.send(method, bare(path), { key: null }), noCredentials)),
    ),
    ...operations.map(({ method, path }) =>
      read(`${method} ${path}`, wrongKey, [], async (kit) => refused(await kit.send(method, bare(path), { key: unknownKey }), invalidKey)),
    ),
    read('an unknown path', missingKey, [], async (kit) => refused(await kit.send('GET', '/nothing', { key: null }), noCredentials)),
    read('an unknown path', wrongKey, [], async (kit) => refused(await kit.send('GET', '/nothing', { key: unknownKey }), invalidKey)),
    ...misplaced,
    ...malformed,
    ...withStaff,
  ];
}

const elsewhere: [string, (kit: Kit) => [path: string, request: Request]][] = [
  ['Authorization: Bearer', (kit) => ['/key', { headers: { Authorization: `Bearer ${kit.site.key}` } }]],
  [
    'Authorization: Basic',
    (kit) => ['/key', { headers: { Authorization: `Basic ${Buffer.from(`${kit.site.key}:`).toString('base64')}` } }],
  ],
  ['?api_key=', (kit) => [`/key?api_key=${kit.site.key}`, {}]],
  ['?X-API-Key=', (kit) => [`/key?X-API-Key=${kit.site.key}`, {}]],
  ['Cookie', (kit) => ['/key', { headers: { Cookie: `X-API-Key=${kit.site.key}` } }]],
];

const misplaced = elsewhere.map(([place, requestOf]) =>
  read(place, onlyThatHeader, [], async (kit) => {
    const [path, request] = requestOf(kit);
    refused(await kit.send('GET', path, { key: null, ...request }), noCredentials);
  }),
);

const forms: [string, (key: string) => string][] = [
  ['an empty key', () => ''],
  ['a key with another last character', (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
  ['a key without its last character', (key) => key.slice(0, -1)],
  ['a key with a character more', (key) => `${key}0`],
  ['a key without its prefix', (key) => key.slice(key.lastIndexOf('_') + 1)],
  ['a key in upper case', (key) => key.toUpperCase()],
  ['a key twice in the header', (key) => `${key}, ${key}`],
  ['a text of SQL', () => "' OR 1=1--"],
];

const malformed = forms.map(([form, change]) =>
  read(form, wrongKey, [], async (kit) => refused(await kit.send('GET', '/key', { key: change(kit.site.key) }), invalidKey)),
);

const withStaff = [
  staffWrite('a revoked key', 'Revocation is immediate: the next request is 401 "Invalid or expired API key".', [], async (kit) => {
    const { id, key } = await kit.staff.newKey(kit, { scopes: ['products:read'] });
    same('the status before', (await kit.send('GET', '/key', { key })).status, 200);
    await kit.staff.revoke(id);
    refused(await kit.send('GET', '/key', { key }), invalidKey);
  }),
  staffWrite('POST /api_keys', 'The full key is shown once at creation and cannot be retrieved again.', [], async (kit) => {
    const { key } = await kit.staff.key(kit, { scopes: ['products:read'] });
    const list = await kit.staff.send('GET', '/api_keys');
    same('the status of GET /api_keys', list.status, 200);
    holds(!list.text.includes(key), 'GET /api_keys shows the full key');
  }),
  staffWrite('POST /api_keys', "A key's scopes, limit and expiry cannot be changed after creation.", [], async (kit) => {
    const { id } = await kit.staff.key(kit, { scopes: ['products:read'] });
    for (const method of ['PATCH', 'PUT']) {
      const answer = await kit.staff.send(method, `/api_keys/${id}`, { body: { api_key: { rate_limit: 5 } } });
      same(`the status of ${method} /api_keys/:id`, answer.status, 404);
    }
  }),
  staffWrite(
    'GET /key',
    'A key is created with a name, scopes, a limit of 60 a minute by default, an optional expiry and Test Mode.',
    [],
    async (kit) => {
      const { key } = await kit.staff.newKey(kit, { scopes: ['sales:read'], rate_limit: undefined as unknown as number });
      const { data } = (await kit.send('GET', '/key', { key })).body;
      same('the key', [data.scopes, data.rate_limit, data.expires_at, data.test_mode], [['sales:read'], 60, null, false]);
    },
  ),
];
