/** Takes the tenders of a sale: one, or several that make up the total. Cash may be more; the change is shown. */

import { ActionIcon, Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Cross2Icon } from '@radix-ui/react-icons';
import { useIsFetching } from '@tanstack/react-query';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { shownMoney } from '../parts/money.ts';
import { MoneyField } from '../parts/money-field.tsx';
import { GiftCardField, lookUp } from './gift-card-field.tsx';
import {
  availableFor,
  changeOf,
  faultOf,
  isOdd,
  isTyped,
  methods,
  type Payment,
  paidByCard,
  restOf,
  roundSums,
  sentPayments,
  type Tender,
  typedOf,
  withRest,
} from './payments.ts';
import type { Sale } from './till.ts';

interface TakePaymentProps {
  /** Absent while its price is asked for. */
  sale: Sale | undefined;
  /** Of a payment of this sale that was refused or left. */
  typed: Tender[] | undefined;
  /** With what is typed, at each change; undefined: nothing. */
  onTyped: (tenders: Tender[] | undefined) => void;
  onClose: () => void;
  onPaid: (payments: Payment[], change: string, tenders: Tender[]) => void;
}

export function TakePayment({ sale, typed = [{ key: 0, method: 'cash' }], onTyped, onClose, onPaid }: TakePaymentProps) {
  const total = sale?.total ?? '0.00';
  const { currency } = useStore();
  const [kept, setTenders] = useState(typed);
  const tenders = sale ? withRest(total, kept) : kept.map((one) => ({ ...one, amount: one.amount ?? '' }));
  // Others pay all of it.
  const paying = tenders.filter(({ amount }, index) => tenders.length === 1 || kept[index]!.amount !== undefined || amount !== '0.00');
  const isFree = sale !== undefined && Number(total) === 0;
  const fault = isFree || !sale ? undefined : faultOf(total, paying);
  const changeDue = changeOf(total, tenders);
  // A card may have paid what is shown, also where more is sold by now; cash is what is left of any total.
  const typedNow = isTyped(total, kept) ? kept.map((one, index) => (sale && one.method !== 'cash' ? tenders[index]! : one)) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change.
  useEffect(() => onTyped(typedNow), [kept, total]);
  /** The cash that the clerk was asked about. */
  const [asked, setAsked] = useState<string>();
  const change = (key: number, changes: Partial<Tender>) =>
    // Emptied before the price is there, it takes all of it still.
    setTenders((all) =>
      all.map((one) => (one.key === key ? { ...one, ...changes, ...(!sale && changes.amount === '' && { amount: undefined }) } : one)),
    );
  const add = (method: Payment['method'] = 'cash') =>
    setTenders((all) => [...all, { key: (all.at(-1)?.key ?? 0) + 1, method, amount: restOf(total, tenders) }]);
  /** The next number replaces the amount of the tender whose method was just chosen. */
  const picked = useRef(false);
  /** The method of the only tender, or one more for what is left. */
  const pick = (method: Payment['method']) => {
    const [first] = tenders;
    const isAll = tenders.length === 1 && (!sale || fault === undefined || first!.amount === total);
    picked.current = isAll;
    // The same key once more takes nothing back that was typed.
    const other = { method, card_number: undefined, wanted: undefined, amount: undefined };
    if (isAll) change(first!.key, first!.method === method ? {} : other);
    else if (fault !== undefined) add(method);
  };
  useHotkeys(
    methods.flatMap(({ value, key }): [string, () => void][] => (key ? [[key, () => pick(value)]] : [])),
    [],
  );
  /** Enter was pressed before the price was there. */
  const [isAsked, setIsAsked] = useState(false);
  /** What a gift card has may be less than the amount. */
  const looksUp = useIsFetching({ queryKey: [lookUp] }) > 0;
  const complete = () => {
    if (!sale) return setIsAsked(true);
    if (fault || looksUp) return;
    if (isOdd(total, changeDue) && asked !== changeDue) return setAsked(changeDue);
    const payments = paying.map(({ key: _key, wanted: _wanted, wasSent: _wasSent, ...payment }) => payment);
    onPaid(isFree ? [] : sentPayments(total, payments), changeDue, typedNow ?? kept);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the price comes.
  useLayoutEffect(() => {
    if (!sale) return;
    // Of several one may be typed into by now.
    if (kept.length === 1 && kept[0]!.amount === undefined) focusedAmount()?.select();
    if (isAsked) complete();
  }, [sale]);
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what had the focus may have gone with its tender.
  useEffect(() => {
    if (picked.current) focusedAmount()?.select();
    picked.current = false;
    if (document.activeElement === document.body) form.current!.querySelector<HTMLElement>('[data-autofocus]')!.focus();
  }, [kept]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    complete();
  };
  return (
    // The amount has the focus with its text selected, so that Enter completes the sale and a number replaces it.
    <Dialog onClose={onClose} closeOnClickOutside={false} title={t('Take payment')}>
      <form
        ref={form}
        onSubmit={submit}
        // An amount that Enter does not complete is replaced by the next one.
        onKeyDown={({ key }) => key === 'Enter' && focusedAmount()?.select()}
      >
        <Stack>
          <Text fz="clamp(24px, 9vw, 40px)" fw={700} component="div" lh={1} style={{ overflowWrap: 'anywhere' }}>
            <Amount of={sale?.total} />
          </Text>
          {sale?.customer && <CustomerCredit id={sale.customer.id} />}
          {tenders.map((tender) => (
            <TenderFields
              key={tender.key}
              of={tender}
              total={total}
              tenders={typedOf(kept)}
              isOnly={tenders.length === 1}
              isLast={tender === tenders.at(-1)}
              withCredit={sale?.customer !== undefined}
              onChange={(changes) => change(tender.key, changes)}
              onRemove={tenders.length > 1 ? () => setTenders((all) => all.filter(({ key }) => key !== tender.key)) : undefined}
            />
          ))}
          <Group justify="space-between">
            <Button size="xs" variant="default" disabled={!sale} onClick={() => add()}>
              {t('Add another payment')}
            </Button>
            {sale && Number(changeDue) > 0 && fault === undefined && (
              <Text fw={600} component="div">
                {t('Change|money back')} <Amount of={changeDue} />
              </Text>
            )}
          </Group>
          {sale && asked === changeDue && (
            <Alert color="yellow" role="alert" title={t('Is {change} the change?', { change: shownMoney(changeDue, currency) })}>
              {t('That is very much for this sale. Enter completes it all the same.')}
            </Alert>
          )}
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">
              {!sale ? t('The price is asked for') : looksUp ? t('The gift card is looked up') : (fault ?? t('Paid in full'))}
            </Text>
            <Button type="submit" size="md" disabled={fault !== undefined} loading={looksUp || (isAsked && !sale)}>
              {t('Complete the sale')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The field of an amount that has the focus; a card's number that is being typed is none. */
function focusedAmount(): HTMLInputElement | undefined {
  const field = document.activeElement;
  return field instanceof HTMLInputElement && field.inputMode === 'decimal' ? field : undefined;
}

function CustomerCredit({ id }: { id: number }) {
  const { data } = useRead('getStoreCredit', { params: { customer_id: id } });
  const { currency } = useStore();
  const balance = data?.store_credit?.balance ?? 0;
  return balance > 0 ? <Text size="sm">{t('Store credit: {balance}', { balance: shownMoney(balance, currency) })}</Text> : null;
}

interface TenderFieldsProps {
  of: Tender & Payment;
  total: string;
  tenders: (Payment & { key: number })[];
  isOnly: boolean;
  isLast: boolean;
  withCredit: boolean;
  onChange: (changes: Partial<Tender>) => void;
  onRemove?: () => void;
}

function TenderFields({ of, total, tenders, isOnly, isLast, withCredit, onChange, onRemove }: TenderFieldsProps) {
  const { currency } = useStore();
  const isCash = of.method === 'cash';
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <Select
          label={t('Paid by')}
          data={methods
            .filter(({ value }) => withCredit || value !== 'store_credit')
            .map(({ value, label, key }) => ({ value, label: key ? `${label} (${key})` : label }))}
          value={of.method}
          onChange={(method) => onChange({ method: method as Payment['method'], card_number: undefined, wanted: undefined })}
          style={{ flex: '1 1 180px' }}
        />
        <MoneyField
          label={isCash ? t('Cash received') : t('Amount')}
          // What is added by its key is typed into at once; a gift card's number comes first.
          autoFocus={!isOnly && isLast && of.method !== 'gift_card'}
          data-autofocus={(isLast && of.method !== 'gift_card') || undefined}
          style={{ flex: '1 1 100px' }}
          value={of.amount}
          onFocus={(event) => event.currentTarget.select()}
          onText={(amount) => onChange({ amount, wanted: undefined })}
        />
        {onRemove && (
          <ActionIcon size="lg" aria-label={t('Remove this payment')} onClick={onRemove}>
            <Cross2Icon />
          </ActionIcon>
        )}
      </Group>
      {isCash && isOnly && Number(total) > 0 && (
        <Group gap="xs">
          {[total, ...roundSums(total)].map((amount, index) => (
            <Button key={amount} variant="default" onClick={() => onChange({ amount })}>
              {index === 0 ? t('Exact') : shownMoney(amount, currency)}
            </Button>
          ))}
        </Group>
      )}
      {of.method === 'gift_card' && (
        <GiftCardField
          data-autofocus={isLast || undefined}
          number={of.card_number ?? ''}
          onChange={(card_number) => onChange({ card_number })}
          availableOf={(balance) => availableFor(of, tenders, balance)}
          onFound={(available) => onChange({ amount: paidByCard(of, tenders, total, available), wanted: of.wanted ?? of.amount })}
        />
      )}
    </Stack>
  );
}
