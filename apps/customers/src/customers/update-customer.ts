import { parseId } from '@store/input';
import { change } from '@store/service';
import type { Verb } from '../customers.ts';
import { acceptCustomer, refuseCustomer } from './customer.input.ts';
import { emitCustomers } from './emit-customers.ts';
import { cardErrors, loadRecord, lockCustomer, saveCustomer } from './save-customer.ts';

/** PATCH and PUT /customers/:id: what was not sent stays; a change that changes nothing has no event (D224). No duplicate check (D80). */
export const updateCustomer: Verb<'UpdateCustomer'> = async (app, request, call) => {
  const { caller } = call;
  const { values, errors } = acceptCustomer('update', request.customer, caller, app.db.clock.now());
  return change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    const { id } = customer;
    refuseCustomer({ ...errors, ...(await cardErrors(em, values, id)) });
    const difference = await saveCustomer(em, customer, values, app.db.clock.now());
    if (difference) {
      const audit = { action: 'customer.update', ...difference };
      await emitCustomers(em, app, caller, [{ id, name: 'customer.updated', audit }]);
    }
    return { customer: await loadRecord(em, app, caller, id) };
  });
};
