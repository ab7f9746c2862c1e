import { messageType } from '@store/contract';
import { askIn } from '@store/db';
import { parseId } from '@store/input';
import { change, demandVersion } from '@store/service';
import type { Verb } from '../customers.ts';
import { acceptCustomer, refuseCustomer } from './customer.input.ts';
import { shownCustomer } from './get-customer.ts';
import { lockCustomer, saveCustomer, takenByLiving } from './save-customer.ts';

const shown = messageType('store.customers.v1.CustomerResponse');

/** PATCH and PUT /customers/:id: what was not sent stays; a change that changes nothing has no event (D224). No duplicate check (D80). */
export const updateCustomer: Verb<'UpdateCustomer'> = async (app, request, call) => {
  const { caller } = call;
  const { values, errors } = acceptCustomer('update', request.customer, caller, app.db.clock.now());
  return change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    const { id } = customer;
    await demandVersion(call, () => shownCustomer(askIn(em), app, caller, id), shown);
    refuseCustomer({ ...errors, ...(await takenByLiving(em, values, id)) });
    return { customer: await saveCustomer(em, app, caller, customer, values) };
  });
};
