/** One sale, with its lines; staff can void it. */

import { Button, Grid, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { isChangedMeanwhile } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { versions } from '../api/versions.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Time } from '../parts/time.tsx';
import { worded } from '../parts/worded.ts';
import { PrintReceipt } from './receipt.tsx';
import { GivenBack, SalePayments } from './sale-payments.tsx';
import { SaleStatus } from './sale-status.tsx';

type Sale = Schemas['Sale'];

export default function SalePage() {
  const id = Number(useParams().id);
  const found = useRead('getSale', { params: { id }, query: { include: 'external_id' } });
  const [voiding, setVoiding] = useState(false);
  const [printing, setPrinting] = useState(false);
  const sale = found.data?.sale;
  const actions = sale && (
    <>
      <HistoryLink kind="Sale" id={id} />
      <Button variant="default" loading={printing} onClick={() => setPrinting(true)}>
        {t('Print the receipt')}
      </Button>
      {(sale.status === 'pending' || sale.status === 'ready') && (
        <Button component={Link} to="/register" state={{ resume: id }} variant="default">
          {t('Continue at the register')}
        </Button>
      )}
      {sale.status !== 'voided' && (
        <Button variant="default" onClick={() => setVoiding(true)}>
          {t('Void the sale')}
        </Button>
      )}
    </>
  );
  return (
    <Page
      title={sale ? t('Sale {receiptNumber}', { receiptNumber: sale.receipt_number }) : t('Sale')}
      above={['/sales', t('Sales')]}
      actions={actions}
    >
      <Shown of={found}>
        {() => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Section title={t('Lines')}>
                <Lines of={sale!} />
              </Section>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Section title={t('Summary')}>
                  <SaleFacts of={sale!} />
                </Section>
                <SalePayments id={id} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Shown>
      {printing && <PrintReceipt saleId={id} onDone={() => setPrinting(false)} />}
      {voiding && sale && <VoidSale sale={sale} onClose={() => setVoiding(false)} />}
    </Page>
  );
}

function Lines({ of }: { of: Sale }) {
  return (
    <TableScroll label={t('Lines of the sale')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Product')}</Table.Th>
            <Table.Th ta="right">{t('Quantity')}</Table.Th>
            <Table.Th ta="right">{t('Price')}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('Discount')}
            </Table.Th>
            <Table.Th ta="right">{t('Total')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.line_items.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td>
                {line.product_id ? <LinkTo to={`/products/${line.product_id}`}>{line.product_name}</LinkTo> : line.product_name}
                {line.modifiers.map(({ name }) => (
                  <Text key={name} size="xs" c="dimmed">
                    {name}
                  </Text>
                ))}
              </Table.Td>
              <Table.Td ta="right" className="numeric">
                {line.quantity}
              </Table.Td>
              <Table.Td ta="right">
                <Amount of={line.unit_price} />
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                <Amount of={line.discount_amount} />
              </Table.Td>
              <Table.Td ta="right">
                <Amount of={line.total} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
}

function SaleFacts({ of }: { of: Sale }) {
  return (
    <Facts
      of={[
        [t('Status'), <SaleStatus key="status" of={of.status} />],
        [
          t('Customer'),
          of.customer ? (
            <LinkTo key="customer" to={`/customers/${of.customer.id}`}>
              {of.customer.name ?? of.customer.id}
            </LinkTo>
          ) : (
            t('Walk-in')
          ),
        ],
        [t('Clerk'), of.clerk ?? '–'],
        !!of.external_id && [t('External id'), of.external_id],
        [t('Paid by'), of.payment_method ? worded(of.payment_method) : '–'],
        [t('Completed'), <Time key="completed" at={of.completed_at} />],
        !!of.voided_at && [t('Voided'), <Time key="voided" at={of.voided_at} />],
        !!of.voided_at && [t('Reason'), of.void_reason],
        [t('Subtotal'), <Amount key="subtotal" of={of.subtotal} />],
        [t('Discount'), <Amount key="discount" of={of.discount_amount} />],
        [t('Tax'), <Amount key="tax" of={of.tax_amount} />],
        [
          t('Total'),
          <b key="total">
            <Amount of={of.total} />
          </b>,
        ],
      ]}
    />
  );
}

function VoidSale({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [version] = useState(() => versions.ofShown(sale));
  const write = useWrite('updateSale', {
    changes: ['getSale', 'getSalePayments', 'getDayReport', 'listSales', 'summarizeSales'],
    done: t('The sale is voided'),
    onDone: onClose,
    quiet: true,
  });
  const { error } = write;
  if (isChangedMeanwhile(error)) {
    const values = { by: error.changedBy ?? t('Somebody'), receiptNumber: sale.receipt_number };
    return (
      <Dialog title={t('{receiptNumber} was changed meanwhile', values)} onClose={onClose}>
        <Text>{t('{by} changed this sale. If it is voided already, nothing is to be given back again.', values)}</Text>
      </Dialog>
    );
  }
  return (
    <Confirm
      opened
      title={t('Void {receiptNumber}?', { receiptNumber: sale.receipt_number })}
      action={t('Void the sale')}
      sent={write}
      onClose={onClose}
      onConfirm={() =>
        write.mutate({
          params: { id: sale.id },
          version,
          body: { sale: { status: 'voided', ...(reason.trim() && { void_reason: reason.trim() }) } },
        })
      }
    >
      <Stack gap="sm">
        <Text size="sm">
          {t('Stock, earned points and spend are taken back; points of a redeemed reward are not. This cannot be undone.')}
        </Text>
        <GivenBack id={sale.id} />
        <TextField label={t('Reason')} value={reason} onText={setReason} data-autofocus />
      </Stack>
    </Confirm>
  );
}
