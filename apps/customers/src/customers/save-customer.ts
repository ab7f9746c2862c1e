import { LockMode } from '@mikro-orm/core';
import { applyChanges, askIn, type Difference, type EntityManager, flushRecord, takenErrors } from '@store/db';
import { notFound } from '@store/problem';
import type { CustomerRecord as CustomerRecordMessage } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Customers } from '../customers.ts';
import type { CustomerValues } from './customer.input.ts';
import { customerBy, customerGone } from './customer.query.ts';
import { Customer, type CustomerRecord, derivedOf } from './customer.ts';
import { customerRecordView, readerOf } from './customer.view.ts';

/** The customer, locked until the commit; an archived, unknown or other store's customer is the same 404. */
export async function lockCustomer(em: EntityManager, id: number | undefined): Promise<CustomerRecord> {
  const customer = id === undefined ? null : await lockIfLiving(em, id);
  if (!customer) throw await customerGone(askIn(em), storeOf(em), id);
  return customer;
}

const storeOf = (em: EntityManager): number => (em.getFilterParams('store') as { storeId: number }).storeId;

/** null when it is archived by now: the lock waits for a change that is under way. */
export function lockIfLiving(em: EntityManager, id: number): Promise<CustomerRecord | null> {
  return em.findOne(Customer, { id, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** A loyalty card and an external id belong to one customer of those that are not archived. */
export const takenByLiving = (em: EntityManager, values: CustomerValues, ownId = 0) =>
  takenErrors(em, Customer, values, ownId, { archivedAt: null });

/** Sets the values and what follows from them, and writes the row; undefined when nothing differs. */
export async function saveCustomer(
  em: EntityManager,
  customer: CustomerRecord,
  values: Readonly<CustomerValues>,
  now: Date,
): Promise<Difference | undefined> {
  const difference = applyChanges(customer, values, now);
  if (!difference) return undefined;
  Object.assign(customer, derivedOf(customer));
  await flushRecord(em, Customer);
  return difference;
}

/** The full record, read in the transaction. */
export async function loadRecord(em: EntityManager, app: Customers, caller: Caller, id: number): Promise<CustomerRecordMessage> {
  const row = await customerBy(askIn(em), caller.storeId, 'id', id);
  if (!row) throw notFound('Customer');
  return customerRecordView(row, readerOf(caller, app.db.clock.now()));
}
