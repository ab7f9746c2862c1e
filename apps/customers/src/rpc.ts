/** What customers answers: rpc name → verb. */
import type { CustomersDefinition } from '@store/protos/customers/v1/Customers.ts';
import type { Verbs } from '@store/rpc';
import type { Customers } from './customers.ts';

export function customersVerbs(_app: Customers): Verbs<CustomersDefinition> {
  return {};
}
