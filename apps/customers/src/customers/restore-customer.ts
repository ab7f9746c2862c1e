import { addToTotal, askIn, type EntityManager, flushRecord, lockRecord, taken } from '@store/db';
import { type FieldErrors, parseId } from '@store/input';
import type { Caller } from '@store/rpc';
import { change } from '@store/service';
import type { Verb } from '../customers.ts';
import { refuseCustomer } from './customer.input.ts';
import { customerGone } from './customer.query.ts';
import { Customer, type CustomerRecord, customersTotal } from './customer.ts';
import { emitCustomers } from './emit-customers.ts';
import { contactsOf, findDuplicate } from './find-duplicate.ts';
import { loadRecord, takenByLiving } from './save-customer.ts';

/** POST /customers/:id/restore (staff): back into lists and look-ups, with credit and points (D272). One that is not archived stays as it is. */
export const restoreCustomer: Verb<'RestoreCustomer'> = (app, request, call) =>
  change(app, call, async (em) => {
    const { caller } = call;
    const customer = await lockRecord(em, Customer, parseId(request.id));
    if (customer.mergedInto) throw await customerGone(askIn(em), caller.storeId, customer.id);
    const archivedAt = customer.archivedAt?.toISOString();
    if (archivedAt) {
      refuseCustomer(await takenContacts(em, customer, caller));
      customer.archivedAt = null;
      customer.updatedAt = app.db.clock.now();
      await flushRecord(em, Customer);
      await addToTotal(em, app.db.schema, caller.storeId, customersTotal, 1);
      const audit = { action: 'customer.restore', before: { archived_at: archivedAt }, after: { archived_at: null } };
      await emitCustomers(em, app, caller, [{ id: customer.id, name: 'customer.updated', audit }]);
    }
    return { customer: await loadRecord(em, app, caller, customer.id) };
  });

/** What archiving set free and another customer has by now. */
async function takenContacts(em: EntityManager, { email, phone, loyaltyCardNumber, externalId }: CustomerRecord, caller: Caller) {
  const errors: FieldErrors = {};
  for (const [field, contact] of Object.entries({ email: { email }, phone: { phone } })) {
    const duplicate = await findDuplicate(em, caller.storeId, contactsOf(contact, caller));
    if (duplicate !== undefined) errors[field] = [taken];
  }
  return { ...errors, ...(await takenByLiving(em, { loyalty_card_number: loyaltyCardNumber, external_id: externalId })) };
}
