/** What the supplier billed: the invoice's number and day, and of each line how much at which cost. */

import { Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { faultOf } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { versions } from '../api/versions.ts';
import { numberText, t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { unitCostText } from '../parts/money.ts';
import { MoneyField } from '../parts/money-field.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { include, ofOrder } from './order-details.tsx';

type Order = Schemas['PurchaseOrder'];

const changes = ['getPurchaseOrder', 'listPurchaseOrders'] as const;

interface Billed {
  quantity: number | string;
  cost: string;
  /** By an earlier invoice. */
  isBilled: boolean;
}

interface Fields {
  supplier_invoice_number: string;
  supplier_invoice_date: string;
  [lineId: number]: Billed;
}

const fieldsOf = ({ supplier_invoice_number: number, supplier_invoice_date: day, line_items }: Order) =>
  ({
    supplier_invoice_number: number ?? '',
    supplier_invoice_date: day ?? '',
    ...Object.fromEntries(line_items.map((line) => [line.id, billedOf(line)])),
  }) as Fields;

export function SupplierInvoice({ order, onClose }: { order: Order; onClose: () => void }) {
  const existing = ofOrder(order, fieldsOf);
  // As it was opened: the first write here sets the number.
  const [isFurther] = useState(!!order.supplier_invoice_number || order.line_items.some((line) => line.quantity_invoiced !== null));
  const form = useRecordForm(fieldsOf(order), existing);
  const { supplier_invoice_number: number, supplier_invoice_date: day } = form.now;
  const line_items = order.line_items.flatMap(({ id }) => {
    const { quantity, cost, isBilled } = form.now[id] ?? { quantity: '' };
    // An earlier invoice has it as it is.
    if (quantity === '' || (isBilled && !(id in form.changes))) return [];
    return [{ id, quantity_invoiced: Number(quantity), ...(cost && { unit_cost_invoiced: cost }) }];
  });
  /** The order's version with the number and day. */
  const stored = useRef<string | undefined>(undefined);
  const done = t('The invoice is saved');
  const details = useWrite('updatePurchaseOrder', {
    changes,
    quiet: true,
    ...(line_items.length === 0 && { done }),
    onDone: () => {
      stored.current = versions.of(existing.path);
      if (line_items.length === 0) onClose();
    },
  });
  const invoice = useWrite('invoicePurchaseOrder', { changes, quiet: true, done, onDone: onClose });
  const error = details.error ?? invoice.error;
  const params = { id: order.id };
  const said = {
    ...('supplier_invoice_number' in form.changes && { supplier_invoice_number: number }),
    ...('supplier_invoice_date' in form.changes && { supplier_invoice_date: (day || null) as string }),
  };
  const isSaid = Object.keys(said).length > 0;
  const submit = () =>
    void form.save(async (_changes, version) => {
      let seen = version;
      if (isSaid && !invoice.lost.current) {
        await details.mutateAsync({ params, query: { include }, body: { purchase_order: said }, version });
        seen = stored.current;
        form.stored({ supplier_invoice_number: number, supplier_invoice_date: day }, seen);
      } else {
        // The bill's error is shown then, not an earlier one of the number or day.
        details.reset();
      }
      if (line_items.length === 0) return;
      await invoice.mutateAsync(invoice.lost.current ?? { params, query: { include }, body: { line_items }, version: seen });
    });
  return (
    <FormDialog
      title={t("Supplier's invoice")}
      onClose={onClose}
      onSubmit={submit}
      sent={{ isPending: details.isPending || invoice.isPending, error }}
      form={form}
      disabled={line_items.length === 0 && !isSaid}
    >
      <Group grow align="flex-end">
        <TextField
          label={t('Number')}
          data-autofocus
          value={number}
          error={faultOf(error, 'supplier_invoice_number')}
          onText={(text) => form.set({ supplier_invoice_number: text })}
        />
        <TextField
          label={t('Day')}
          type="date"
          value={day}
          error={faultOf(error, 'supplier_invoice_date')}
          onText={(text) => form.set({ supplier_invoice_date: text })}
        />
      </Group>
      {isFurther && (
        <Text size="sm">
          {t(
            'An invoice is entered already, and what you save replaces it. Of a further one enter both numbers, and of each line what both billed in all, at its average cost.',
          )}
        </Text>
      )}
      {order.line_items.map((line) => {
        const billed = form.now[line.id];
        if (!billed) return null;
        return <BilledLine key={line.id} of={line} billed={billed} onChange={(some) => form.set({ [line.id]: { ...billed, ...some } })} />;
      })}
    </FormDialog>
  );
}

/** As billed before, or else as ordered: most invoices say what the order said. */
function billedOf({ quantity_invoiced, quantity_ordered, unit_cost_invoiced, unit_price }: Order['line_items'][number]): Billed {
  return {
    quantity: quantity_invoiced ?? quantity_ordered,
    cost: unitCostText(unit_cost_invoiced ?? unit_price),
    isBilled: quantity_invoiced !== null,
  };
}

interface BilledLineProps {
  of: Order['line_items'][number];
  billed: Billed;
  onChange: (some: Partial<Billed>) => void;
}

function BilledLine({ of: { product_name: name, quantity_ordered }, billed, onChange }: BilledLineProps) {
  return (
    <Stack gap={4}>
      <Text size="sm">{t('{name}, {quantityOrdered} ordered', { name, quantityOrdered: numberText(quantity_ordered) })}</Text>
      <Group grow align="flex-start">
        <QuantityField
          aria-label={t('Billed: {name}', { name })}
          value={billed.quantity}
          onQuantity={(quantity) => onChange({ quantity })}
        />
        <MoneyField
          aria-label={t('Unit cost billed: {name}', { name })}
          isUnitCost
          value={billed.cost}
          onText={(cost) => onChange({ cost })}
        />
      </Group>
    </Stack>
  );
}
