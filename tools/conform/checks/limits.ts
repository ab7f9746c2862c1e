/** The rate limit, with a key that has a small one; and what every answer says of it. */
import { areaOf, type Check } from '../check.ts';
import type { Kit } from '../kit.ts';
import { Failure, holds, same } from '../outcome.ts';
import type { Answer } from '../site.ts';

const { staffWrite } = areaOf('limits');

const keyLimit = 3;
/** More than two windows can admit. */
const requestsMax = 12;

/** Two windows may share the requests, so some more are made than the limit. */
async function refusedBy(kit: Kit): Promise<Answer> {
  const { key } = await kit.staff.newKey(kit, { scopes: ['products:read'], rate_limit: keyLimit });
  for (let n = 0; n < requestsMax; n++) {
    const answer = await kit.send('GET', '/key', { key, takes429: true });
    if (answer.status === 429) return answer;
    same('the status', answer.status, 200);
  }
  throw new Failure(`${requestsMax} requests of a key with a limit of ${keyLimit} a minute were all answered`);
}

export const limitChecks: Check[] = [
  staffWrite(
    'a key with a limit',
    'A key\'s own limit applies once it has completed a request; beyond it is 429 "Rate limit exceeded. Retry later."',
    [],
    async (kit) => {
      const answer = await refusedBy(kit);
      same(
        'body and X-Error-Code',
        [answer.text, answer.headers.get('x-error-code')],
        ['{"error":"Rate limit exceeded. Retry later."}', 'rate_limited'],
      );
    },
  ),
  staffWrite(
    'a key with a limit',
    'A 429 has X-RateLimit-Limit, X-RateLimit-Remaining 0, X-RateLimit-Reset in Unix seconds and Retry-After.',
    [],
    async (kit) => {
      const { headers } = await refusedBy(kit);
      same('limit and remaining', [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], [String(keyLimit), '0']);
      const [reset, retryAfter] = [Number(headers.get('x-ratelimit-reset')), Number(headers.get('retry-after'))];
      same('the second of the minute at which it resets', reset % 60, 0);
      holds(retryAfter >= 1 && retryAfter <= 60, `Retry-After is ${retryAfter}`);
    },
  ),
  staffWrite('a key with a limit', 'Each key has a limit of its own: another key of the store is not refused.', [], async (kit) => {
    await refusedBy(kit);
    const { key } = await kit.staff.newKey(kit, { scopes: ['products:read'] });
    same('the status of another key', (await kit.send('GET', '/key', { key, takes429: true })).status, 200);
  }),
  staffWrite('GET /key', 'effective_limit is 60 until the key has completed a request, then its own limit.', [], async (kit) => {
    const { key } = await kit.staff.newKey(kit, { scopes: ['products:read'], rate_limit: 200 });
    const limit = async () => (await kit.send('GET', '/key', { key })).body.data.effective_limit;
    same('effective_limit at first and then', [await limit(), await limit()], [60, 200]);
  }),
  ...[0, 1_001, 1.5].map((rate_limit) =>
    staffWrite(`POST /api_keys with the limit ${rate_limit}`, 'The limit of a key is a whole number from 1 to 1,000.', [], async (kit) => {
      const api_key = { name: kit.unique(), scopes: ['products:read'], rate_limit };
      const { status, body } = await kit.staff.send('POST', '/api_keys', { body: { api_key } });
      if (status === 201) await kit.staff.revoke(body.api_key.id);
      same('the status', status, 422);
    }),
  ),
];
