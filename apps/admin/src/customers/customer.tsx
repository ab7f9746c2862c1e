/** One customer: contact, loyalty, store credit, the last sales. */

import { Button, Grid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { isGone as isGoneBy } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { undoable } from '../parts/undoable.tsx';
import { CustomerForm } from './customer-form.tsx';
import { Loyalty } from './loyalty.tsx';
import { MergeCustomer } from './merge-customer.tsx';
import { StoreCredit } from './store-credit.tsx';

export default function CustomerPage() {
  const id = Number(useParams().id);
  const found = useRead('getCustomer', { params: { id }, query: { include: 'external_id' } });
  const [changing, setChanging] = useState(false);
  const [archiving, setArchiving] = useState(false);
  const [merging, setMerging] = useState(false);
  const mayArchive = useMay('manager');
  const navigate = useNavigate();
  const restore = useWrite('restoreCustomer', { changes: ['listCustomers', 'getCustomer'], done: t('The customer is restored') });
  const archive = useWrite('archiveCustomer', {
    changes: ['listCustomers', 'getCustomer'],
    quiet: true,
    onDone: (_answer, _input, isShown) => {
      if (isShown) void navigate('/customers');
      undoable(t('The customer is archived'), () => restore.mutate({ params: { id } }));
    },
  });
  // Archived, or never there.
  const isGone = isGoneBy(found.error);
  // A form that is open keeps what was typed.
  const last = found.data?.customer;
  const customer = isGone ? undefined : last;
  return (
    <Page
      title={customer?.name ?? t('Customer')}
      above={['/customers', t('Customers')]}
      actions={
        customer && (
          <>
            <HistoryLink kind="Customer" id={id} />
            {mayArchive && (
              <>
                <Button variant="default" onClick={() => setMerging(true)}>
                  {t('Merge')}
                </Button>
                <Button variant="default" onClick={() => setArchiving(true)}>
                  {t('Archive')}
                </Button>
              </>
            )}
            <Button onClick={() => setChanging(true)}>{t('Change')}</Button>
          </>
        )
      }
    >
      <Shown of={found}>
        {() => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Section title={t('Contact')}>
                <Contact of={customer!} />
              </Section>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <Loyalty id={id} />
                <StoreCredit customerId={id} />
                <RecentSales id={id} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Shown>
      {isGone && mayArchive && (
        <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params: { id } })}>
          {t('Restore, if archived')}
        </Button>
      )}
      <Confirm
        opened={archiving}
        title={t('Archive this customer?')}
        action={t('Archive')}
        sent={archive}
        onClose={() => setArchiving(false)}
        onConfirm={() => archive.mutate({ params: { id } })}
      >
        {t('They are found no longer. Past sales keep them. They can be restored at once, and later at this address.')}
      </Confirm>
      {merging && last && <MergeCustomer customer={last} onClose={() => setMerging(false)} />}
      {changing && last && <CustomerForm customer={last} onClose={() => setChanging(false)} />}
    </Page>
  );
}

function Contact({ of }: { of: Schemas['Customer'] }) {
  return (
    <Stack gap="sm">
      <Facts
        of={[
          [t('Code'), of.customer_code],
          [t('Card'), of.loyalty_card_number],
          !!of.external_id && [t('External id'), of.external_id],
          [t('E-mail'), of.email],
          [t('Phone'), of.phone],
          [t('Address'), [of.address?.line1, of.address?.city, of.address?.postal_code].filter(Boolean).join(', ') || '–'],
          [t('Spent'), <Amount key="spent" of={of.lifetime_spend} />],
          [t('Visits'), of.visit_count],
          [t('Since'), <Time key="since" at={of.created_at} />],
        ]}
      />
      {of.notes && <Text size="sm">{of.notes}</Text>}
    </Stack>
  );
}

const saleColumns: Column<Schemas['Sale']>[] = [
  { id: 'receipt', header: t('Receipt'), cell: (sale) => <LinkTo to={`/sales/${sale.id}`}>{sale.receipt_number}</LinkTo> },
  { id: 'at', header: t('When'), cell: (sale) => <Time at={sale.completed_at} /> },
  { id: 'total', header: t('Total'), align: 'right', cell: (sale) => <Amount of={sale.total} /> },
];

function RecentSales({ id }: { id: number }) {
  const found = useRead('listRecentSales', { params: { id } });
  return (
    <Section title={t('Last sales')} aside={<LinkTo to={`/sales?customer=${id}`}>{t('All sales')}</LinkTo>}>
      <ReadTable
        label={t('Last sales')}
        of={found}
        rows={(data) => data.sales}
        columns={saleColumns}
        bars={3}
        empty={<Empty title={t('No sale yet')} />}
      />
    </Section>
  );
}
