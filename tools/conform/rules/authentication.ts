/** The key, and what is refused for the want of one. */
import type { Contract } from '../contract.ts';
import { type Rule, same } from '../rule.ts';
import type { Answer, Request, Site } from '../site.ts';

const area = 'authentication';
const noCredentials = '{"error":"Authentication required"}';
const invalidKey = '{"error":"Invalid or expired API key"}';
/** Of the form of a key, and none. */
const unknownKey = `sk_store_${'0'.repeat(49)}`;

const missingKey =
  'A request without a key is treated as a staff session\'s, and is 401 "Authentication required" if it has no session either.';
const wrongKey = 'A key that is unknown, malformed, expired or revoked is 401 "Invalid or expired API key".';
const elsewhereRule = 'The key is read from the header X-API-Key only: in Authorization: Bearer, the query or a cookie it is a 401.';
const revokedRule = 'Revocation is immediate: the next request is 401 "Invalid or expired API key".';
const onceRule = 'The full key is shown once at creation and cannot be retrieved again.';

function refused(answer: Answer, text: string): void {
  same(`the answer to ${answer.method} ${answer.path}`, [answer.status, answer.text], [401, text]);
  same('X-Error-Code', answer.headers.get('x-error-code'), 'unauthenticated');
}

/** Where a key is not read. */
const elsewhere: Record<string, (key: string) => [path: string, headers: Record<string, string>]> = {
  'Authorization: Bearer': (key) => ['/key', { Authorization: `Bearer ${key}` }],
  'Authorization: Basic': (key) => ['/key', { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }],
  '?api_key=': (key) => [`/key?api_key=${key}`, {}],
  Cookie: (key) => ['/key', { Cookie: `X-API-Key=${key}` }],
};

const forms: Record<string, (key: string) => string> = {
  'an empty key': () => '',
  'a key with another last character': (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
  'a key with a character more': (key) => `${key}0`,
  'a key without its prefix': (key) => key.slice(key.lastIndexOf('_') + 1),
  'a key in upper case': (key) => key.toUpperCase(),
  'a key twice in the header': (key) => `${key}, ${key}`,
  'a text of SQL': () => "' OR 1=1--",
};

export function authenticationRules({ operations }: Contract): Rule[] {
  const read = (subject: string, sentence: string, run: (site: Site) => Promise<void>): Rule => ({ area, subject, sentence, run });
  // A write without a body cannot store anything, even where it is let in.
  const everywhere = [...operations.map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '0')]), ['GET', '/nothing']];
  const refusedWith = (request: Request, sentence: string, text: string) =>
    everywhere.map(([method, path]) =>
      read(`${method} ${path}`, sentence, async (site) => refused(await site.send(method!, path!, request), text)),
    );
  return [
    ...refusedWith({ key: null }, missingKey, noCredentials),
    ...refusedWith({ key: unknownKey }, wrongKey, invalidKey),
    ...Object.entries(elsewhere).map(([place, requestOf]) =>
      read(place, elsewhereRule, async (site) => {
        const [path, headers] = requestOf(site.options.key);
        refused(await site.send('GET', path, { key: null, headers }), noCredentials);
      }),
    ),
    ...Object.entries(forms).map(([form, change]) =>
      read(form, wrongKey, async (site) => refused(await site.send('GET', '/key', { key: change(site.options.key) }), invalidKey)),
    ),
    {
      ...read('a revoked key', revokedRule, async (site) => {
        const { id, key } = await site.madeKey({ scopes: ['products:read'] }, true);
        same('the status before', (await site.send('GET', '/key', { key })).status, 200);
        await site.revoke(id);
        refused(await site.send('GET', '/key', { key }), invalidKey);
      }),
      needs: 'staff',
    },
    {
      ...read('GET /api_keys', onceRule, async (site) => {
        const { key } = await site.madeKey({ scopes: ['products:read'] });
        const { status, text } = await site.staff('GET', '/api_keys');
        same('the status, and whether the full key is shown', [status, text.includes(key)], [200, false]);
      }),
      needs: 'staff',
    },
  ];
}
