/** One customer: contact, loyalty, store credit, the last sales. */
import { Anchor, Button, Grid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { Amount } from '../parts/amount.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { CustomerForm } from './customer-form.tsx';
import { StoreCredit } from './store-credit.tsx';

export default function CustomerPage() {
  const id = Number(useParams().id);
  const found = useRead('getCustomer', { params: { id } });
  const [changing, setChanging] = useState(false);
  const customer = found.data?.customer;
  return (
    <Page
      title={customer?.name ?? 'Customer'}
      above={['/customers', 'Customers']}
      actions={
        customer && (
          <>
            <HistoryLink kind="Customer" id={id} />
            <Button onClick={() => setChanging(true)}>Change</Button>
          </>
        )
      }
    >
      <Shown of={found}>
        {() => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Section title="Contact">
                  <Contact of={customer!} />
                </Section>
                <Loyalty id={id} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <StoreCredit customerId={id} />
                <RecentSales id={id} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Shown>
      {changing && customer && <CustomerForm customer={customer} onClose={() => setChanging(false)} />}
    </Page>
  );
}

function Contact({ of }: { of: Schemas['Customer'] }) {
  return (
    <Stack gap="sm">
      <Facts
        of={[
          ['Code', of.customer_code],
          ['Card', of.loyalty_card_number],
          ['E-mail', of.email],
          ['Phone', of.phone],
          ['Address', [of.address?.line1, of.address?.city, of.address?.postal_code].filter(Boolean).join(', ') || '–'],
          ['Spent', <Amount key="spent" of={of.lifetime_spend} />],
          ['Visits', of.visit_count],
          ['Since', <Time key="since" at={of.created_at} />],
        ]}
      />
      {of.notes && <Text size="sm">{of.notes}</Text>}
    </Stack>
  );
}

function Loyalty({ id }: { id: number }) {
  const { has, currency } = useStore();
  const found = useRead('getCustomerLoyalty', { params: { id } }, { enabled: has.loyalty });
  if (!has.loyalty) return null;
  return (
    <Section title="Loyalty">
      <Shown of={found} rows={3}>
        {({ loyalty }) => (
          <Facts
            of={[
              ['Points', loyalty!.loyalty_points.toLocaleString('en')],
              ['Tier', loyalty!.loyalty_tier ?? 'None'],
              ['Discount', `${Number(loyalty!.discount_percentage)} %`],
              ...(loyalty!.next_tier
                ? [
                    [
                      'To the next tier',
                      `${loyalty!.next_tier.name}: ${currency}${loyalty!.next_tier.spend_remaining} or ${loyalty!.next_tier.visits_remaining} visits`,
                    ] as [string, string],
                  ]
                : []),
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}

function RecentSales({ id }: { id: number }) {
  const found = useRead('listRecentSales', { params: { id } });
  return (
    <Section
      title="Last sales"
      aside={
        <Anchor component={Link} to={`/sales?customer=${id}`} size="sm">
          All sales
        </Anchor>
      }
    >
      <Shown of={found} rows={3}>
        {({ sales }) => (
          <DataTable
            label="Last sales"
            rows={sales}
            rowId={(sale) => sale.id}
            empty={<Empty title="No sale yet" />}
            columns={[
              {
                id: 'receipt',
                header: 'Receipt',
                cell: (sale) => (
                  <Anchor component={Link} to={`/sales/${sale.id}`} size="sm">
                    {sale.receipt_number}
                  </Anchor>
                ),
              },
              { id: 'at', header: 'When', cell: (sale) => <Time at={sale.completed_at} /> },
              { id: 'total', header: 'Total', align: 'right', cell: (sale) => <Amount of={sale.total} /> },
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}
