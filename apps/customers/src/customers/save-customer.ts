import { LockMode } from '@mikro-orm/core';
import { applyChanges, askIn, type EntityManager, flushRecord, takenErrors } from '@store/db';
import { notFound } from '@store/problem';
import type { CustomerRecord as CustomerRecordMessage } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';
import type { Customers } from '../customers.ts';
import type { CustomerValues } from './customer.input.ts';
import { customerBy, customerGone } from './customer.query.ts';
import { Customer, type CustomerRecord, derivedOf } from './customer.ts';
import { customerRecordView, readerOf } from './customer.view.ts';
import { emitCustomers } from './emit-customers.ts';

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

/** Sets the values and what follows from them, with an event when something differs; returns the full record. */
export async function saveCustomer(
  em: EntityManager,
  app: Customers,
  caller: Caller,
  customer: CustomerRecord,
  values: Readonly<CustomerValues>,
): Promise<CustomerRecordMessage> {
  const { id } = customer;
  const difference = applyChanges(customer, values, app.db.clock.now());
  if (difference) {
    Object.assign(customer, derivedOf(customer));
    await flushRecord(em, Customer);
    const audit = { action: 'customer.update', ...difference };
    await emitCustomers(em, app, caller, [{ id, name: 'customer.updated', audit }]);
  }
  return loadRecord(em, app, caller, id);
}

/** The full record, read in the transaction. */
export async function loadRecord(em: EntityManager, app: Customers, caller: Caller, id: number): Promise<CustomerRecordMessage> {
  const row = await customerBy(askIn(em), caller.storeId, 'id', id);
  if (!row) throw notFound('Customer');
  return customerRecordView(row, readerOf(caller, app.db.clock.now()));
}
