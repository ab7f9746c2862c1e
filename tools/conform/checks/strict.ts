/** Unknown parameters: refused by name with Prefer: handling=strict, ignored without. */
import { areaOf, type Check } from '../check.ts';
import type { Contract } from '../contract.ts';
import { same } from '../outcome.ts';
import { sampleOf, scopesOfSample } from '../samples.ts';

const { read } = areaOf('strict');

const refusedRule = 'With Prefer: handling=strict a parameter that the endpoint does not take is a 422 that names it.';
const appliedRule = 'With Prefer: handling=strict an answer has Preference-Applied: handling=strict.';
const ignoredRule = 'Without it a parameter that the endpoint does not take is ignored.';
const headers = { Prefer: 'handling=strict' };
const text = 'Validation failed: "conform_x" is not a parameter of this request';

export function strictChecks({ operations }: Contract): Check[] {
  const reads = operations.filter(({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0);
  return reads.flatMap((operation) => {
    const { path } = operation;
    const scopes = scopesOfSample(operation);
    const unknown = (sample: string) => `${sample}${sample.includes('?') ? '&' : '?'}conform_x=1`;
    return [
      read(`GET ${path}?conform_x=1`, refusedRule, scopes, async (kit) => {
        const answer = await kit.send('GET', unknown(await sampleOf(kit, operation)), { headers });
        same('the answer', [answer.status, answer.body?.error], [422, text]);
        same('Preference-Applied', answer.headers.get('preference-applied'), 'handling=strict');
      }),
      read(`GET ${path}`, appliedRule, scopes, async (kit) => {
        const answer = await kit.send('GET', await sampleOf(kit, operation), { headers });
        same('status and Preference-Applied', [answer.status, answer.headers.get('preference-applied')], [200, 'handling=strict']);
      }),
      read(`GET ${path}?conform_x=1`, ignoredRule, scopes, async (kit) => {
        const answer = await kit.send('GET', unknown(await sampleOf(kit, operation)));
        same('status and Preference-Applied', [answer.status, answer.headers.get('preference-applied')], [200, null]);
      }),
    ];
  });
}
