/** How a sale was paid, with its tax by component, and what a void gives back. */

import { List, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { shownMoney } from '../parts/money.ts';
import { Section } from '../parts/page.tsx';
import { Empty, Loading, Shown } from '../parts/states.tsx';
import { spoken, worded } from '../parts/worded.ts';

type Numbered<Row> = Row & { n: number };
type Payment = Schemas['SalePayment'];

const payments: Column<Numbered<Payment>>[] = [
  { id: 'method', header: t('Paid by'), cell: ({ method, card_last4 }) => `${worded(method)}${card_last4 ? ` …${card_last4}` : ''}` },
  { id: 'amount', header: t('Amount'), align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
  { id: 'back', header: t('Given back'), align: 'right', cell: ({ given_back }) => (given_back ? t('Yes') : t('No')) },
];
const taxes: Column<Numbered<Schemas['SaleTax']>>[] = [
  { id: 'name', header: t('Tax'), cell: ({ name }) => name },
  { id: 'rate', header: t('Rate'), align: 'right', cell: ({ rate }) => `${rate} %` },
  { id: 'amount', header: t('Amount'), align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
];
/** Two tenders may be the same but for their place. */
const numbered = <Row extends object>(rows: Row[]): Numbered<Row>[] => rows.map((row, n) => ({ ...row, n }));

export function SalePayments({ id }: { id: number }) {
  const found = useRead('getSalePayments', { params: { id } });
  return (
    <Section title={t('Payments and tax')}>
      <Shown of={found} rows={3}>
        {(sale) => (
          <>
            <DataTable
              label={t('Payments')}
              columns={payments}
              rows={numbered(sale.payments)}
              rowId={({ n }) => n}
              empty={<Empty title={t('Nothing was paid')} />}
            />
            {sale.taxes.length > 0 && <DataTable label={t('Tax')} columns={taxes} rows={numbered(sale.taxes)} rowId={({ n }) => n} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

/** What a void gives back, tender by tender: cards and credit by itself, the rest by who voids. */
export function GivenBack({ id }: { id: number }) {
  const { currency } = useStore();
  // It may have been paid since it was looked at.
  const found = useRead('getSalePayments', { params: { id } }, { staleTime: 0 });
  if (found.isFetching) return <Loading rows={1} />;
  return (
    <Shown of={found} rows={1}>
      {(sale) =>
        sale.payments.length === 0 ? (
          <Text size="sm">{t('Nothing was paid, so nothing is given back.')}</Text>
        ) : (
          <List size="sm">
            {numbered(sale.payments).map(({ n, ...payment }) => (
              <List.Item key={n}>{givenBackText(payment, shownMoney(payment.amount, currency))}</List.Item>
            ))}
          </List>
        )
      }
    </Shown>
  );
}

function givenBackText({ method, card_last4 }: Payment, amount: string): string {
  if (method === 'gift_card') return t('{amount} goes back to the gift card that ends in {cardLast4}.', { amount, cardLast4: card_last4 });
  if (method === 'store_credit') return t("{amount} goes back to the customer's store credit.", { amount });
  if (method === 'cash') return t('Hand back {amount} in cash.', { amount });
  return t('Refund {amount} by {method} yourself.', { amount, method: spoken(method) });
}
