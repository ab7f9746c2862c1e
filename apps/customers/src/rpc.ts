/** What customers answers: rpc name → verb. */
import type { CustomersDefinition } from '@store/protos/customers/v1/Customers.ts';
import type { Verbs } from '@store/rpc';
import { archiveCustomer } from './customers/archive-customer.ts';
import { createCustomer } from './customers/create-customer.ts';
import { getCustomer } from './customers/get-customer.ts';
import { getCustomers } from './customers/get-customers.ts';
import { listCustomers } from './customers/list-customers.ts';
import { lookupCustomerByCard, lookupCustomerByCode } from './customers/lookup-customer.ts';
import { updateCustomer } from './customers/update-customer.ts';
import type { Customers } from './customers.ts';

export function customersVerbs(app: Customers): Verbs<CustomersDefinition> {
  return {
    ListCustomers: (request, call) => listCustomers(app, request, call),
    GetCustomer: (request, call) => getCustomer(app, request, call),
    LookupCustomerByCode: (request, call) => lookupCustomerByCode(app, request, call),
    LookupCustomerByCard: (request, call) => lookupCustomerByCard(app, request, call),
    CreateCustomer: (request, call) => createCustomer(app, request, call),
    UpdateCustomer: (request, call) => updateCustomer(app, request, call),
    ArchiveCustomer: (request, call) => archiveCustomer(app, request, call),
    GetCustomers: (request, call) => getCustomers(app, request, call),
  };
}
