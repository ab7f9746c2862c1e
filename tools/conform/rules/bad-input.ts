/** The refusals of tests/journeys/bad-input.jsonl that a key can try from outside with a client of HTTP, on records of the store. */
import { type BadInput, badInputCases, filledIn, isOfItsWorld } from '../../../tests/journeys/bad-input-cases.ts';
import type { Contract } from '../contract.ts';
import { type Rule, same } from '../rule.ts';
import { everySale, firstOf } from '../samples.ts';
import type { Site } from '../site.ts';

const sentence = 'Bad input is refused with the status and body of its class (docs/contract.md, Bad input).';

/** Where the records are found that a case names. */
const sources: Record<string, string> = {
  product: '/products',
  customer: '/customers',
  sale: everySale,
  order: '/purchase_orders',
  reward: '/loyalty_rewards',
};

const placeholders = (one: BadInput) => [...new Set([...JSON.stringify(one).matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name]) => name!))];

function isTried(one: BadInput): boolean {
  const { key, request, headers, sent = [], status } = one;
  if (status < 400 || headers !== undefined || key !== undefined || isOfItsWorld(one)) return false;
  if (typeof request !== 'string' || !sent.every((part) => typeof part === 'string')) return false;
  const [method, target] = request.split(' ') as [string, string];
  // A client of HTTP resolves dots, and knows no other methods.
  const filled = target.replaceAll(/[{}]/g, '');
  const isSentAsItIs = URL.parse(filled, 'http://store.example')?.href === `http://store.example${filled}`;
  const isKnown = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && target.startsWith('/api/v1/');
  return isKnown && isSentAsItIs && placeholders(one).every((name) => name in sources);
}

export function badInputRules({ operations }: Contract): Rule[] {
  return badInputCases.filter(isTried).map((one): Rule => {
    const [method, target] = (one.request as string).replace('/api/v1', '').split(' ') as [string, string];
    const segment = target.split(/[/?]/)[1];
    const isRead = method === 'GET';
    const scopes = operations.filter(({ path, ...operation }) => path.split('/')[1] === segment && (operation.method === 'GET') === isRead);
    return {
      area: 'bad-input',
      subject: one.id,
      sentence,
      scopes: [...new Set(scopes.map(({ scope }) => scope))],
      ...(!isRead && { needs: 'write' as const }),
      run: (site) => refused(site, one, method, target),
    };
  });
}

async function refused(site: Site, one: BadInput, method: string, target: string): Promise<void> {
  const ids: Record<string, unknown> = {};
  for (const name of placeholders(one)) ids[name] = await firstOf(site, sources[name]!, 'id');
  const raw = one.sent && (one.sent as string[]).map((part) => filledIn(part, ids)).join('');
  const answer = await site.send(method, filledIn(target, ids), raw === undefined ? {} : { raw });
  const body = one.body && JSON.parse(filledIn(JSON.stringify(one.body).replaceAll(/"(\{\w+\})"/g, '$1'), ids));
  same('the answer', [answer.status, one.body ? answer.body : undefined], [one.status, body]);
}
