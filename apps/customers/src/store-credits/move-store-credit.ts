import { lockRecord, sql } from '@store/db';
import { acceptor, choice, parseId, refuseErrors, signedMoneyField, textField } from '@store/input';
import { invalid } from '@store/problem';
import { change, userOf } from '@store/service';
import { Customer } from '../customers/customer.ts';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Verb } from '../customers.ts';
import { moveCredit } from './move-credit.ts';
import { creditOf, storeCreditView } from './store-credit.query.ts';
import { takes, transactionTypes } from './store-credit.ts';

const notesMax = 10_000;

const movement = acceptor({
  wrapper: 'store_credit',
  fields: { amount: signedMoneyField(), transaction_type: choice(transactionTypes), notes: textField(notesMax) },
  required: ['amount', 'transaction_type'],
});

/** POST /customers/:id/store_credit (staff). What the store owes an archived customer is paid out, and none is added (D272). */
export const moveStoreCredit: Verb<'MoveStoreCredit'> = async (app, request, call) => {
  const { caller } = call;
  const { values, errors } = acceptMovement(request.store_credit);
  return change(app, call, async (em) => {
    const customer = await lockRecord(em, Customer, parseId(request.id));
    refuseErrors(errors);
    const { id, storeId } = customer;
    const type = values.transaction_type!;
    const amount = takes.has(type) ? `-${values.amount}` : values.amount!;
    if (customer.archivedAt && !amount.startsWith('-')) throw invalid(['Customer is archived']);
    const balances = new Map([[id, customer.storeCreditBalance]]);
    const moved = { customer_id: id, transaction_type: type, amount, notes: values.notes ?? null, user: userOf(caller) };
    await moveCredit(em, { storeId, now: app.db.clock.now() }, [moved], balances);
    const audit = {
      action: `customer.${type}_store_credit`,
      before: { store_credit_balance: customer.storeCreditBalance },
      after: { store_credit_balance: balances.get(id), ...(values.notes && { notes: values.notes }) },
    };
    await emitCustomers(em, app, caller, [{ id, name: 'customer.updated', audit }]);
    const [credit] = await sql(em, creditOf(storeId, id));
    return { store_credit: storeCreditView(credit!) };
  });
};

/** Amounts are above 0; the sign of an adjust is the sender's (D228). */
function acceptMovement(input: Parameters<typeof movement.create>[0]) {
  const { values, errors } = movement.create(input);
  const { amount, transaction_type } = values;
  const wrong = amount === undefined ? undefined : wrongAmount(amount, transaction_type === 'adjust');
  return { values, errors: { ...errors, ...(wrong && { amount: [wrong] }) } };
}

function wrongAmount(amount: string | null, isSigned: boolean): string | undefined {
  if (amount === null) return "can't be blank";
  if (isSigned) return Number(amount) === 0 ? 'must not be zero' : undefined;
  return Number(amount) <= 0 ? 'must be greater than 0' : undefined;
}
