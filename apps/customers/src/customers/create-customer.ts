import { addToTotal, type EntityManager, flushRecord, newRecord } from '@store/db';
import type { CreateCustomerResponse } from '@store/protos/customers/v1.ts';
import { type Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Customers, Verb } from '../customers.ts';
import { heldTier } from '../loyalty-tiers/held-tier.ts';
import { holdTiers, rankedTiers } from '../loyalty-tiers/loyalty-tier.query.ts';
import { acceptCustomer, type CustomerAccepted, type CustomerValues, refuseCustomer } from './customer.input.ts';
import { Customer, type CustomerRecord, customersTotal, derivedOf } from './customer.ts';
import { nextCode } from './customer-code.ts';
import { emitCustomers } from './emit-customers.ts';
import { type Contacts, contactsOf, findDuplicate, isSamePhone, lockContacts } from './find-duplicate.ts';
import { loadRecord, lockIfLiving, saveCustomer, takenByLiving } from './save-customer.ts';

/** POST /customers: one that exists by phone or e-mail is answered instead of created, before anything is validated (D226). */
export const createCustomer: Verb<'CreateCustomer'> = async (app, request, call) => {
  const { caller } = call;
  const accepted = acceptCustomer('create', request.customer, caller, app.db.clock.now());
  const isForced = request.force_create === 'true';
  return change(app, call, async (em) => {
    const contacts = contactsOf(accepted.values, caller);
    await holdTiers(em, caller.storeId, 'shared');
    // With force_create too: a request that waits for the lock must find its customer.
    await lockContacts(em, caller.storeId, contacts);
    const duplicate = isForced ? undefined : await lockDuplicate(em, caller.storeId, contacts);
    if (duplicate) return answerDuplicate(em, app, caller, duplicate, accepted.values);
    const id = await insertCustomer(em, app, caller, accepted);
    return { customer: await loadRecord(em, app, caller, id) };
  });
};

async function insertCustomer(em: EntityManager, app: Customers, caller: Caller, { values, errors }: CustomerAccepted): Promise<number> {
  refuseCustomer({ ...errors, ...(await takenByLiving(em, values)) });
  const tier = heldTier(await rankedTiers(em, caller.storeId), { lifetime_spend: '0', visit_count: 0 });
  const customerCode = await nextCode(em, caller.storeId);
  const first = { ...values, customerCode, loyaltyTierId: tier?.id, loyaltyTier: tier?.name };
  const customer: CustomerRecord = newRecord(em, Customer, first, app.db.clock.now());
  Object.assign(customer, derivedOf(customer));
  em.persist(customer);
  await flushRecord(em, Customer);
  await addToTotal(em, app.db.schema, caller.storeId, customersTotal, 1);
  const audit = { action: 'customer.create', before: null, after: { ...values, customer_code: customerCode } };
  await emitCustomers(em, app, caller, [{ id: customer.id, name: 'customer.created', audit }]);
  return customer.id;
}

async function lockDuplicate(em: EntityManager, storeId: number, contacts: Contacts): Promise<CustomerRecord | undefined> {
  for (;;) {
    const id = await findDuplicate(em, storeId, contacts);
    if (id === undefined) return undefined;
    const duplicate = await lockIfLiving(em, id);
    // It was archived or has other contacts by now: another one may match.
    if (duplicate && matches(duplicate, contacts)) return duplicate;
  }
}

const matches = ({ phone, emailKey }: CustomerRecord, contacts: Contacts): boolean =>
  isSamePhone(phone, contacts) || (emailKey !== null && emailKey === contacts.emailKey);

/**
 * "If an email was sent and the existing customer has none, it is saved onto them; an existing email is never replaced." An external id
 * likewise, unless another customer has it.
 */
async function answerDuplicate(
  em: EntityManager,
  app: Customers,
  caller: Caller,
  duplicate: CustomerRecord,
  { email, external_id }: Readonly<CustomerValues>,
): Promise<Reply<CreateCustomerResponse>> {
  const isFree = external_id && duplicate.externalId === null && Object.keys(await takenByLiving(em, { external_id })).length === 0;
  const added = { ...(email && duplicate.email === null && { email }), ...(isFree && { external_id }) };
  const customer = await saveCustomer(em, app, caller, duplicate, added);
  return new Reply({ customer, duplicate: true, message: 'Customer already exists' }, { status: 200 });
}
