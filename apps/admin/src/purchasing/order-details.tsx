/** Who delivers an order and when, and the notes of the staff; as long as nothing of it was received. */

import { Textarea } from '@mantine/core';
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { faultOf } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { SupplierSelect } from './supplier-select.tsx';

type Order = Schemas['PurchaseOrder'];

/** What the page of an order shows besides its lines. */
export const include = 'expected_on,notes,supplier_invoice_number,supplier_invoice_date,external_id';

const fieldsOf = ({ supplier, expected_on, notes }: Order) => ({
  supplier_id: supplier?.id ?? null,
  expected_on: expected_on ?? '',
  notes: notes ?? '',
});

/** An order as the forms of its parts show it: they are saved at the version that it had. */
export const ofOrder = <Fields extends object>(order: Order, fields: (order: Order) => Fields) => ({
  path: `/purchase_orders/${order.id}`,
  shown: order,
  read: async () => fields((await call('getPurchaseOrder', { params: { id: order.id }, query: { include } })).purchase_order),
});

export function OrderDetails({ order, onClose }: { order: Order; onClose: () => void }) {
  const params = { id: order.id };
  const form = useRecordForm(fieldsOf(order), ofOrder(order, fieldsOf));
  const update = useWrite('updatePurchaseOrder', {
    changes: ['getPurchaseOrder', 'listPurchaseOrders'],
    quiet: true,
    done: t('The order is saved'),
    onDone: onClose,
  });
  const submit = () =>
    void form.save((changes, version) => {
      // An empty day is none.
      const day = 'expected_on' in changes && { expected_on: changes.expected_on || null };
      const purchase_order = { ...changes, ...day } as Schemas['PurchaseOrderChangeInput'];
      return update.mutateAsync({ params, query: { include }, body: { purchase_order }, version });
    });
  const { supplier_id, expected_on, notes } = form.now;
  return (
    <FormDialog
      title={t('Change order {orderNumber}', { orderNumber: order.order_number })}
      onClose={onClose}
      onSubmit={submit}
      sent={update}
      form={form}
    >
      <SupplierSelect
        value={supplier_id}
        name={supplier_id === order.supplier?.id ? order.supplier?.name : undefined}
        onChange={(id) => form.set({ supplier_id: id })}
      />
      <TextField
        label={t('Expected on')}
        type="date"
        value={expected_on}
        error={faultOf(update.error, 'expected_on')}
        onText={(text) => form.set({ expected_on: text })}
      />
      <Textarea
        label={t('Notes')}
        autosize
        minRows={2}
        value={notes}
        error={faultOf(update.error, 'notes')}
        onChange={(event) => form.set({ notes: event.currentTarget.value })}
      />
    </FormDialog>
  );
}
