/** A receipt for 80 mm paper: printed after a sale, and again from the page of the sale. It is seen on paper alone. */

import { notifications } from '@mantine/notifications';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Answer } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { centsOf, textOf } from '../parts/money.ts';
import { betweenScans } from '../parts/scanner.ts';
import { Time } from '../parts/time.tsx';
import { worded } from '../parts/worded.ts';

interface PrintReceiptProps {
  saleId: number;
  /** Cash that went back to the customer, which only the till that took it knows. */
  change?: string;
  /** The browser's printing was opened, or there is nothing to print. */
  onPrinted?: () => void;
  /** It may go. */
  onDone: () => void;
}

interface Paper {
  sale: Schemas['Sale'];
  paid: Answer<'getSalePayments'>;
  settings: Schemas['Settings'];
}

/** Reads what the receipt shows, opens the browser's printing once, and stays until the next touch or key. */
export function PrintReceipt({ saleId, change, onPrinted, onDone }: PrintReceiptProps) {
  const params = { id: saleId };
  // As they are now: the sale may have been voided since it was shown.
  const reads = [
    useRead('getSale', { params }, { staleTime: 0 }),
    useRead('getSalePayments', { params }, { staleTime: 0 }),
    useRead('getSettings', {}),
  ] as const;
  const read = { sale: asOfNow(reads[0])?.sale, paid: asOfNow(reads[1]), settings: reads[2].data?.settings };
  const isReady = Object.values(read).every((one) => one !== undefined);
  /** What is read while it prints changes no paper. */
  const [paper, setPaper] = useState<Paper>();
  const failure = isReady || paper ? undefined : reads.find((one) => one.isError && !one.isFetching)?.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is said once.
  useEffect(() => {
    if (!failure) return;
    notifications.show({ title: t('The receipt was not printed'), message: failure.message, color: 'red', autoClose: 8_000 });
    onPrinted?.();
    onDone();
  }, [failure]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when all of it is there.
  useEffect(() => {
    if (isReady) setPaper((before) => before ?? (read as Paper));
  }, [isReady]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is printed once.
  useEffect(() => {
    if (!paper) return;
    const left = new AbortController();
    // The rest of a scan would go into the browser's dialog.
    void betweenScans().then(() => {
      if (left.signal.aborted) return;
      window.print();
      onPrinted?.();
      // A tablet goes on behind print(), and takes the page as it is then; meanwhile it hears neither touch nor key.
      for (const kind of ['pointerdown', 'keydown'] as const) window.addEventListener(kind, onDone, { capture: true, signal: left.signal });
    });
    return () => left.abort();
  }, [paper]);
  if (!paper) return null;
  const { sale, paid, settings } = paper;
  const { store, receipt_printer: printer } = settings;
  return createPortal(
    <div className="receipt">
      <h1>{store?.name}</h1>
      {[store?.address, store?.phone, printer?.header].map((text) => text && <p key={text}>{text}</p>)}
      <p>
        {sale.receipt_number} · <Time at={sale.completed_at ?? sale.created_at} />
        {sale.clerk && ` · ${sale.clerk}`}
        {sale.status === 'voided' && ` · ${t('VOIDED')}`}
        {isOpen(sale.status) && ` · ${t('NOT PAID')}`}
      </p>
      <table>
        <tbody>
          {sale.line_items.map((line) => (
            <Row
              key={line.id}
              name={`${numberText(line.quantity)} × ${line.product_name}`}
              amount={textOf(centsOf(line.total)! + centsOf(line.discount_amount)!)}
            />
          ))}
        </tbody>
        <tbody>
          {Number(sale.discount_amount) > 0 && <Row name={t('Discount')} amount={`-${sale.discount_amount}`} />}
          {paid.taxes.map(({ name, amount }) => (
            <Row key={name} name={name} amount={amount} />
          ))}
          <Row name={t('Total')} amount={sale.total} isTotal />
        </tbody>
        <tbody>
          {asHanded(paid.payments, change).map(({ method, amount, card_last4 }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tenders may be the same in all they show.
            <Row key={place} name={`${worded(method)}${card_last4 ? ` …${card_last4}` : ''}`} amount={amount} />
          ))}
          {Number(change ?? 0) > 0 && <Row name={t('Change|money back')} amount={change!} />}
        </tbody>
      </table>
      {printer?.footer && <p>{printer.footer}</p>}
    </div>,
    document.body,
  );
}

/** What was read since this is on the page. */
function asOfNow<Data>({ data, isFetchedAfterMount, isError }: UseQueryResult<Data>): Data | undefined {
  return isFetchedAfterMount && !isError ? data : undefined;
}

/** Nothing is paid before a sale is completed. */
const isOpen = (status: string): boolean => status === 'pending' || status === 'ready';

/** Cash as it was handed over, with what went back; the store keeps what was due. */
function asHanded<Paid extends { method: string; amount: string }>(payments: Paid[], change = '0'): Paid[] {
  const cash = payments.findIndex(({ method }) => method === 'cash');
  return payments.map((payment, place) =>
    place === cash ? { ...payment, amount: textOf(centsOf(payment.amount)! + centsOf(change)!) } : payment,
  );
}

function Row({ name, amount, isTotal }: { name: string; amount: string; isTotal?: boolean }) {
  return (
    <tr className={isTotal ? 'total' : undefined}>
      <td>{name}</td>
      <td>
        <Amount of={amount} />
      </td>
    </tr>
  );
}
