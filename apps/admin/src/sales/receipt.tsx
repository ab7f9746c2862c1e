/** A receipt for 80 mm paper: printed after a sale, and again from the page of the sale. It is seen on paper alone. */

import { notifications } from '@mantine/notifications';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
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
  onPrinted: () => void;
}

/** Reads what the receipt shows, opens the browser's printing once, and is gone. */
export function PrintReceipt({ saleId, change, onPrinted }: PrintReceiptProps) {
  const params = { id: saleId };
  // As they are now: the sale may have been voided since it was shown.
  const reads = [
    useRead('getSale', { params }, { staleTime: 0 }),
    useRead('getSalePayments', { params }, { staleTime: 0 }),
    useRead('getSettings', {}),
  ] as const;
  const sale = asOfNow(reads[0])?.sale;
  const paid = asOfNow(reads[1]);
  const settings = reads[2].data?.settings;
  const isReady = sale !== undefined && paid !== undefined && settings !== undefined;
  const failure = isReady ? undefined : reads.find((one) => one.isError && !one.isFetching)?.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is said once.
  useEffect(() => {
    if (!failure) return;
    notifications.show({ title: t('The receipt was not printed'), message: failure.message, color: 'red', autoClose: 8_000 });
    onPrinted();
  }, [failure]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is printed once, when all of it is there.
  useEffect(() => {
    if (!isReady) return;
    let left = false;
    // The rest of a scan would go into the browser's dialog.
    void betweenScans().then(() => {
      if (left) return;
      window.print();
      onPrinted();
    });
    return () => {
      left = true;
    };
  }, [isReady]);
  if (!isReady) return null;
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
