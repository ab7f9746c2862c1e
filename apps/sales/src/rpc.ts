/** What sales answers: rpc name → verb. */
import type { SalesDefinition } from '@store/protos/sales/v1/Sales.ts';
import type { Verbs } from '@store/rpc';
import type { Sales } from './sales.ts';

export function salesVerbs(_app: Sales): Verbs<SalesDefinition> {
  return {};
}
