/** What the supplier billed: the invoice's number and day, and of each line how much at which cost. */

import { Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { faultOf } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { include } from './order-details.tsx';

type Order = Schemas['PurchaseOrder'];

const changes = ['getPurchaseOrder' as const, 'listPurchaseOrders' as const];

interface Billed {
  quantity: number | string;
  cost: string;
}

export function SupplierInvoice({ order, onClose }: { order: Order; onClose: () => void }) {
  /** What the order says of the invoice, as far as this form read or saved it. */
  const saved = useRef({ number: order.supplier_invoice_number ?? '', day: order.supplier_invoice_date ?? '' });
  const [number, setNumber] = useState(saved.current.number);
  const [day, setDay] = useState(saved.current.day);
  const [billed, setBilled] = useState<Record<number, Billed>>(() => Object.fromEntries(order.line_items.map(billedOf)));
  const details = useWrite('updatePurchaseOrder', { changes, quiet: true });
  const invoice = useWrite('invoicePurchaseOrder', { changes, quiet: true, done: t('The invoice is saved'), onDone: onClose });
  const error = details.error ?? invoice.error;
  const params = { id: order.id };
  const submit = () => {
    const line_items = Object.entries(billed).flatMap(([id, { quantity, cost }]) =>
      quantity === '' ? [] : [{ id: Number(id), quantity_invoiced: Number(quantity), ...(cost && { unit_cost_invoiced: cost }) }],
    );
    const bill = () => invoice.mutate({ params, query: { include }, body: { line_items } });
    const said = {
      ...(number !== saved.current.number && { supplier_invoice_number: number }),
      ...(day !== saved.current.day && { supplier_invoice_date: (day || null) as string }),
    };
    const onSuccess = () => {
      saved.current = { number, day };
      bill();
    };
    if (Object.keys(said).length > 0) return details.mutate({ params, query: { include }, body: { purchase_order: said } }, { onSuccess });
    // The bill's error is shown then, not an earlier one of the number or day.
    details.reset();
    bill();
  };
  return (
    <FormDialog
      title={t("Supplier's invoice")}
      onClose={onClose}
      onSubmit={submit}
      busy={details.isPending || invoice.isPending}
      error={error}
      disabled={Object.values(billed).every(({ quantity }) => quantity === '')}
    >
      <Group grow align="flex-end">
        <TextInput
          label={t('Number')}
          data-autofocus
          value={number}
          error={faultOf(error, 'supplier_invoice_number')}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
        <TextInput
          label={t('Day')}
          type="date"
          value={day}
          error={faultOf(error, 'supplier_invoice_date')}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      </Group>
      {order.line_items.map((line) => (
        <BilledLine
          key={line.id}
          of={line}
          billed={billed[line.id]!}
          onChange={(some) => setBilled((all) => ({ ...all, [line.id]: { ...all[line.id]!, ...some } }))}
        />
      ))}
    </FormDialog>
  );
}

/** As billed before, or else as ordered: most invoices say what the order said. */
function billedOf(line: Order['line_items'][number]): [number, Billed] {
  const cost = line.unit_cost_invoiced ?? line.unit_price;
  return [line.id, { quantity: line.quantity_invoiced ?? line.quantity_ordered, cost: String(cost) }];
}

interface BilledLineProps {
  of: Order['line_items'][number];
  billed: Billed;
  onChange: (some: Partial<Billed>) => void;
}

function BilledLine({ of: { product_name: name, quantity_ordered }, billed, onChange }: BilledLineProps) {
  return (
    <Stack gap={4}>
      <Text size="sm">{t('{name}, {quantityOrdered} ordered', { name, quantityOrdered: quantity_ordered })}</Text>
      <Group grow align="flex-start">
        <NumberInput
          aria-label={t('Billed: {name}', { name })}
          min={0}
          decimalScale={3}
          value={billed.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        <MoneyField aria-label={t('Unit cost billed: {name}', { name })} value={billed.cost} onText={(cost) => onChange({ cost })} />
      </Group>
    </Stack>
  );
}
