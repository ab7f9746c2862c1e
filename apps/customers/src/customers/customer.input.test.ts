/** What clients may write of a customer. */
import { testDocumentedBounds, testStaff } from '@store/testbed';
import { acceptCustomer } from './customer.input.ts';

const staff = testStaff();

testDocumentedBounds(
  'store.customers.v1.CustomerInput',
  (sent) => acceptCustomer('update', sent as never, staff, new Date('2026-11-20T12:00:00.000Z')).errors,
);
