import { addToTotal } from '@store/db';
import { parseId } from '@store/input';
import { change } from '@store/service';
import type { Verb } from '../customers.ts';
import { customersTotal } from './customer.ts';
import { emitCustomers } from './emit-customers.ts';
import { lockCustomer } from './save-customer.ts';

/** DELETE /customers/:id (staff): archives. Credit and points are kept as what the store owes; archived again it is a 404 (D225). */
export const archiveCustomer: Verb<'ArchiveCustomer'> = (app, request, call) =>
  change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    const { id, storeId } = customer;
    const now = app.db.clock.now();
    customer.archivedAt = now;
    customer.updatedAt = now;
    await em.flush();
    await addToTotal(em, app.db.schema, storeId, customersTotal, -1);
    const audit = { action: 'customer.archive', before: { archived_at: null }, after: { archived_at: now.toISOString() } };
    await emitCustomers(em, app, call.caller, [{ id, name: 'customer.updated', archives: true, audit }]);
    return { success: true, message: 'Customer archived' };
  });
