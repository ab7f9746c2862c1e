import { answersOf, encodeView, versionOf } from '@store/contract';
import { Problem, texts } from '@store/problem';
import type { Call } from '@store/rpc';

/** Refuses a change of a record that is no longer as the client saw it (If-Match, D285). Called under the lock of its row. */
export async function demandVersion(
  { caller, rpc }: Pick<Call, 'caller' | 'rpc'>,
  shown: () => object | Promise<object>,
  response = answersOf(rpc).response,
): Promise<void> {
  const { ifMatch, scopes } = caller;
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const version = versionOf(response, encodeView(response, await shown()), (scope) => scopes.has(scope));
  if (!ifMatch.includes(`"${version}"`)) throw new Problem('record_changed', texts.recordChanged);
}
