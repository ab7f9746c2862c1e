import { emitCustomers } from '../customers/emit-customers.ts';
import type { Verb } from '../customers.ts';
import { giveBackIntent } from './give-back-credit.ts';

/** Asked by sales for an intent that no sale completed; safe to repeat, and before a late TakeStoreCredit (D210). */
export const giveBackStoreCredit: Verb<'GiveBackStoreCredit'> = async (app, request, { caller }) => {
  const { storeId } = caller;
  return app.db.unit(storeId, async (em) => {
    const context = { storeId, clock: app.db.clock, users: new Map() };
    const given = await giveBackIntent(em, context, Number(request.intent_id), Number(request.sale_id));
    const changes = given.map(({ customer_id }) => ({ id: customer_id, name: 'customer.updated' as const }));
    await emitCustomers(em, app, caller, changes);
    return { given_back: given.length > 0 };
  });
};
