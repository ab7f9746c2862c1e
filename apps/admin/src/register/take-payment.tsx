/** Completes a sale with its tenders: one, or several that make up the total. */
import { ActionIcon, Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { Amount } from '../parts/amount.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { shownMoney } from '../parts/money.ts';
import { faultOf, leftOf, methods, type Payment } from './payments.ts';

interface TakePaymentProps {
  sale: Schemas['Sale'];
  onClose: () => void;
  onCompleted: (sale: Schemas['Sale']) => void;
}

interface Tender extends Payment {
  key: number;
}

export function TakePayment({ sale, onClose, onCompleted }: TakePaymentProps) {
  const [tenders, setTenders] = useState<Tender[]>([{ key: 0, method: 'cash', amount: sale.total }]);
  const complete = useWrite('updateSale', {
    changes: ['listSales', 'summarizeSales', 'listProducts'],
    quiet: true,
    onDone: ({ sale: completed }) => onCompleted(completed!),
  });
  const fault = faultOf(sale.total, tenders);
  const change = (key: number, changes: Partial<Payment>) =>
    setTenders((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const add = () => setTenders((all) => [...all, { key: (all.at(-1)?.key ?? 0) + 1, method: 'cash', amount: leftOf(sale.total, all) }]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault) return;
    const payments = tenders.map(({ key: _key, ...payment }) => payment);
    complete.mutate({ params: { id: sale.id }, body: { sale: { status: 'completed', payments } } });
  };
  return (
    // The amount has the focus, so that Enter completes the sale.
    <Dialog onClose={onClose} title={`To pay for ${sale.receipt_number}`}>
      <form onSubmit={submit}>
        <Stack>
          <Text fz={32} fw={700} component="div">
            <Amount of={sale.total} />
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Amount of={sale.subtotal} /> and <Amount of={sale.tax_amount} /> tax
          </Text>
          {sale.customer && <CustomerCredit id={sale.customer.id} />}
          {tenders.map((tender) => (
            <TenderFields
              key={tender.key}
              of={tender}
              isFirst={tender.key === 0}
              withCredit={sale.customer !== undefined}
              onChange={(changes) => change(tender.key, changes)}
              onRemove={tenders.length > 1 ? () => setTenders((all) => all.filter(({ key }) => key !== tender.key)) : undefined}
            />
          ))}
          <Group>
            <Button size="xs" variant="default" onClick={add}>
              Add another payment
            </Button>
          </Group>
          {complete.error && <Alert color="red">{complete.error.message}</Alert>}
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">
              {fault ?? 'Paid in full'}
            </Text>
            <Button type="submit" size="md" loading={complete.isPending} disabled={fault !== undefined}>
              Complete the sale
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function CustomerCredit({ id }: { id: number }) {
  const { data } = useRead('getStoreCredit', { params: { customer_id: id } });
  const { currency } = useStore();
  const balance = data?.store_credit?.balance ?? 0;
  return balance > 0 ? <Text size="sm">Store credit: {shownMoney(balance, currency)}</Text> : null;
}

interface TenderFieldsProps {
  of: Payment;
  isFirst: boolean;
  withCredit: boolean;
  onChange: (changes: Partial<Payment>) => void;
  onRemove?: () => void;
}

function TenderFields({ of, isFirst, withCredit, onChange, onRemove }: TenderFieldsProps) {
  return (
    <Stack gap="xs">
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <Select
          label="Paid by"
          data={methods.filter(({ value }) => withCredit || value !== 'store_credit')}
          value={of.method}
          allowDeselect={false}
          onChange={(method) => onChange({ method: method as Payment['method'], card_number: undefined })}
          style={{ flex: 1 }}
        />
        <TextInput
          label="Amount"
          inputMode="decimal"
          data-autofocus={isFirst || undefined}
          w={110}
          value={of.amount}
          onChange={(event) => onChange({ amount: event.currentTarget.value })}
        />
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Remove this payment" onClick={onRemove}>
            <Cross2Icon />
          </ActionIcon>
        )}
      </Group>
      {of.method === 'gift_card' && <GiftCardField number={of.card_number ?? ''} onChange={(card_number) => onChange({ card_number })} />}
    </Stack>
  );
}

const numberMin = 4;

function GiftCardField({ number, onChange }: { number: string; onChange: (number: string) => void }) {
  const [asked, setAsked] = useState('');
  const card = useRead('lookupGiftCard', { params: { card_number: asked } }, { enabled: asked.length >= numberMin });
  const { currency } = useStore();
  const found = card.data?.gift_card;
  return (
    <TextInput
      label="Gift card number"
      placeholder="Scan or type"
      value={number}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setAsked(number.trim())}
      error={asked !== '' && card.isError ? card.error.message : undefined}
      description={found ? `${found.status}, ${shownMoney(found.available_balance, currency)} available` : undefined}
    />
  );
}
