/** How a sale was paid, with its tax by component, and what a void gives back. */
import { List, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { shownMoney } from '../parts/money.ts';
import { Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { tenderText } from '../parts/tender.ts';

type Numbered<Row> = Row & { n: number };
type Payment = Schemas['SalePayment'];

const payments: Column<Numbered<Payment>>[] = [
  { id: 'method', header: 'Paid by', cell: ({ method, card_last4 }) => `${tenderText(method)}${card_last4 ? ` …${card_last4}` : ''}` },
  { id: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
  { id: 'back', header: 'Given back', align: 'right', cell: ({ given_back }) => (given_back ? 'Yes' : 'No') },
];
const taxes: Column<Numbered<Schemas['SaleTax']>>[] = [
  { id: 'name', header: 'Tax', cell: ({ name }) => name },
  { id: 'rate', header: 'Rate', align: 'right', cell: ({ rate }) => `${rate} %` },
  { id: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
];
/** Two tenders may be the same but for their place. */
const numbered = <Row extends object>(rows: Row[]): Numbered<Row>[] => rows.map((row, n) => ({ ...row, n }));

export function SalePayments({ id }: { id: number }) {
  const found = useRead('getSalePayments', { params: { id } });
  return (
    <Section title="Payments and tax">
      <Shown of={found} rows={3}>
        {(sale) => (
          <>
            <DataTable
              label="Payments"
              columns={payments}
              rows={numbered(sale.payments)}
              rowId={({ n }) => n}
              empty={<Empty title="Nothing was paid" />}
            />
            {sale.taxes.length > 0 && <DataTable label="Tax" columns={taxes} rows={numbered(sale.taxes)} rowId={({ n }) => n} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

/** What a void gives back, tender by tender: cards and credit by itself, the rest by who voids. */
export function GivenBack({ id }: { id: number }) {
  const { currency } = useStore();
  const found = useRead('getSalePayments', { params: { id } });
  return (
    <Shown of={found} rows={1}>
      {(sale) =>
        sale.payments.length === 0 ? (
          <Text size="sm">Nothing was paid, so nothing is given back.</Text>
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
  if (method === 'gift_card') return `${amount} goes back to the gift card that ends in ${card_last4}.`;
  if (method === 'store_credit') return `${amount} goes back to the customer's store credit.`;
  if (method === 'cash') return `Hand back ${amount} in cash.`;
  return `Refund ${amount} by ${tenderText(method).toLowerCase()} yourself.`;
}
