/** What purchasing answers: rpc name → verb. */
import type { PurchasingDefinition } from '@store/protos/purchasing/v1/Purchasing.ts';
import type { Verbs } from '@store/rpc';
import type { Purchasing } from './purchasing.ts';

export function purchasingVerbs(_app: Purchasing): Verbs<PurchasingDefinition> {
  return {};
}
