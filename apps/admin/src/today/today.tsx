/** The first page: what the day brought, as far as the role may see it. */
import { Box, Grid, SimpleGrid, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useRead } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { shownMoney } from '../parts/money.ts';
import { Page, Section } from '../parts/page.tsx';
import { Loading, Shown } from '../parts/states.tsx';
import { Notices } from '../webhooks/notices.tsx';
import { Figure } from './figure.tsx';
import { LowStock } from './low-stock.tsx';
import { RequestsByKey } from './requests-by-key.tsx';

/** The charts are most of the page's size: they load beside the figures, which are shown first. */
const salesChart = import('./sales-chart.tsx');
const requestsChart = import('./requests-chart.tsx');
const SalesChart = lazy(() => salesChart);
const RequestsChart = lazy(() => requestsChart);

const everyMs = 60_000;
const live = { refetchInterval: everyMs };

export default function Today() {
  const isManager = useMay('manager');
  const { timeZone } = useStore();
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' }).format(new Date());
  return (
    <Page title="Today" about={day}>
      {isManager && <Notices />}
      <Figures isManager={isManager} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: isManager ? 7 : 12 }}>
          <SalesByHour />
        </Grid.Col>
        {isManager && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <LowStock />
          </Grid.Col>
        )}
      </Grid>
      {isManager && <ApiToday />}
      {!isManager && <LowStock />}
    </Page>
  );
}

function Figures({ isManager }: { isManager: boolean }) {
  const { currency } = useStore();
  const sales = useRead('summarizeSales', {}, live).data?.sale_summary;
  const requests = useRead('summarizeRequests', {}, { ...live, enabled: isManager }).data?.request_summary;
  const deliveries = useRead('summarizeDeliveries', {}, { ...live, enabled: isManager }).data?.delivery_summary;
  const count = (n: number | undefined) => n?.toLocaleString('en');
  return (
    <SimpleGrid cols={isManager ? { base: 2, sm: 3, md: 5 } : 1} spacing="md">
      <Box className="figure-first">
        <Figure
          label="Sold today"
          value={sales && shownMoney(sales.total, currency)}
          note={sales && (sales.sales === 1 ? '1 sale' : `${count(sales.sales)} sales`)}
        />
      </Box>
      {isManager && (
        <>
          <Figure label="API requests" value={count(requests?.requests)} note={requests && `24 h, ${count(requests.errors)} refused`} />
          <Figure
            label="Rate limited"
            value={count(requests?.rate_limited)}
            note="24 h, answered 429"
            bad={(requests?.rate_limited ?? 0) > 0}
          />
          <Figure
            label="Webhooks failed"
            value={count(deliveries?.failed)}
            note={deliveries && `24 h, ${count(deliveries.succeeded)} succeeded`}
            bad={(deliveries?.failed ?? 0) > 0}
          />
          <Figure
            label="Webhooks took"
            value={deliveries && (deliveries.median_ms === null ? '–' : `${count(deliveries.median_ms)} ms`)}
            note={deliveries?.p95_ms ? `95 % within ${count(deliveries.p95_ms)} ms` : '24 h, median'}
          />
        </>
      )}
    </SimpleGrid>
  );
}

function SalesByHour() {
  const sales = useRead('summarizeSales', {}, live);
  return (
    <Section title="Sales by hour" fill>
      <Shown of={sales}>
        {({ sale_summary }) => (
          <Suspense fallback={<Loading label="Loading the chart" rows={6} />}>
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
        <Section title="API requests by hour" fill>
          <Shown of={requests}>
            {({ request_summary }) => (
              <Suspense fallback={<Loading label="Loading the chart" rows={6} />}>
                <RequestsChart of={request_summary!} />
              </Suspense>
            )}
          </Shown>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Section title="By key and status" fill>
          <Shown of={requests}>
            {({ request_summary }) => (
              <Stack gap="sm">
                <RequestsByKey of={request_summary!} />
              </Stack>
            )}
          </Shown>
        </Section>
      </Grid.Col>
    </Grid>
  );
}
