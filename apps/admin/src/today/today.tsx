/** The first page: what the day brought, as far as the role may see it. */

import { Grid, SimpleGrid } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { counted, locale, numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { shownMoney } from '../parts/money.ts';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Loading, notLoaded, Shown } from '../parts/states.tsx';
import { Notices } from '../webhooks/notices.tsx';
import { Figure } from './figure.tsx';
import { LowStock } from './low-stock.tsx';
import { RequestsByKey } from './requests-by-key.tsx';

/** The charts are most of the page's size: they load beside the figures, which are shown first. */
const salesChart = import('./sales-chart.tsx').catch(() => notLoaded());
const requestsChart = import('./requests-chart.tsx').catch(() => notLoaded());
const SalesChart = lazy(() => salesChart);
const RequestsChart = lazy(() => requestsChart);

const everyMs = 60_000;
const live = { refetchInterval: everyMs };

export default function Today() {
  const isManager = useMay('manager');
  const { timeZone } = useStore();
  const day = new Intl.DateTimeFormat(locale(), { timeZone, weekday: 'long', day: 'numeric', month: 'long' }).format(new Date());
  return (
    <Page title={t('Today')} about={day}>
      <ShopFigures />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <SalesByHour />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <TopProducts />
        </Grid.Col>
      </Grid>
      <LowStock />
      {isManager && (
        <>
          <Notices />
          <ApiFigures />
          <ApiToday />
        </>
      )}
    </Page>
  );
}

function ShopFigures() {
  const { currency } = useStore();
  const sales = useRead('summarizeSales', {}, live).data?.sale_summary;
  const money = (amount: string | undefined) => amount && shownMoney(amount, currency);
  const average = sales && (sales.sales === 0 ? '–' : shownMoney(Number(sales.total) / sales.sales, currency));
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
      <Figure label={t('Sold today')} value={money(sales?.total)} note={sales && counted(sales.sales, '{count} sale', '{count} sales')} />
      <Figure label={t('A week ago by now')} value={money(sales?.last_week_total)} note={sales && againstLastWeek(sales)} />
      <Figure label={t('Average sale')} value={average} />
      <Figure label={t('Taken in cash')} value={money(sales?.cash_total)} />
    </SimpleGrid>
  );
}

const count = (n: number | undefined) => (n === undefined ? undefined : numberText(n));

function againstLastWeek({ total, last_week_total: before }: Schemas['SaleSummary']): string {
  if (Number(before) === 0) return t('Nothing to compare with');
  const percent = Math.round((Number(total) / Number(before) - 1) * 100);
  return t('Today {change} %', { change: `${percent < 0 ? '−' : '+'}${Math.abs(percent)}` });
}

function ApiFigures() {
  const requests = useRead('summarizeRequests', {}, live).data?.request_summary;
  const deliveries = useRead('summarizeDeliveries', {}, live).data?.delivery_summary;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure
        label={t('API requests')}
        value={count(requests?.requests)}
        note={requests && t('24 h, {count} refused', { count: count(requests.errors) })}
      />
      <Figure
        label={t('Rate limited')}
        value={count(requests?.rate_limited)}
        note={t('24 h, answered 429')}
        bad={(requests?.rate_limited ?? 0) > 0}
      />
      <Figure
        label={t('Webhooks failed')}
        value={count(deliveries?.failed)}
        note={deliveries && t('24 h, {count} succeeded', { count: count(deliveries.succeeded) })}
        bad={(deliveries?.failed ?? 0) > 0}
      />
      <Figure
        label={t('Webhooks took')}
        value={deliveries && (deliveries.median_ms === null ? '–' : `${count(deliveries.median_ms)} ms`)}
        note={deliveries?.p95_ms ? t('95 % within {p95Ms} ms', { p95Ms: count(deliveries.p95_ms) }) : t('24 h, median')}
      />
    </SimpleGrid>
  );
}

function TopProducts() {
  const sales = useRead('summarizeSales', {}, live);
  return (
    <Section title={t('Top goods today')} fill>
      <Shown of={sales} rows={3}>
        {({ sale_summary }) => (
          <DataTable
            label={t('Top goods today')}
            columns={topColumns}
            rows={sale_summary!.top_products}
            rowId={({ product_id }) => product_id}
            empty={<Empty title={t('No sale yet today')} />}
          />
        )}
      </Shown>
    </Section>
  );
}

const topColumns: Column<Schemas['SoldGood']>[] = [
  { id: 'name', header: t('Product'), cell: (one) => <LinkTo to={`/products/${one.product_id}`}>{one.product_name}</LinkTo> },
  { id: 'quantity', header: t('Sold'), align: 'right', cell: ({ quantity }) => numberText(quantity) },
  { id: 'total', header: t('Total'), align: 'right', cell: ({ total }) => <Amount of={total} /> },
];

function SalesByHour() {
  const sales = useRead('summarizeSales', {}, live);
  return (
    <Section title={t('Sales by hour')} fill>
      <Shown of={sales}>
        {({ sale_summary }) => (
          <Suspense fallback={<Loading label={t('Loading the chart')} rows={6} />}>
            <SalesChart hours={sale_summary!.hours} />
          </Suspense>
        )}
      </Shown>
    </Section>
  );
}

function ApiToday() {
  const requests = useRead('summarizeRequests', {}, live);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Section title={t('API requests by hour')} fill>
          <Shown of={requests}>
            {({ request_summary }) => (
              <Suspense fallback={<Loading label={t('Loading the chart')} rows={6} />}>
                <RequestsChart of={request_summary!} />
              </Suspense>
            )}
          </Shown>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Section title={t('By key and status')} fill>
          <Shown of={requests}>{({ request_summary }) => <RequestsByKey of={request_summary!} />}</Shown>
        </Section>
      </Grid.Col>
    </Grid>
  );
}
