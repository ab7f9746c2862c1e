/** A day's end: what was sold, taken and given back, to look at and to print. */
import { Button, Grid, Stack, Text, TextInput } from '@mantine/core';
import type { Answer } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { NeedsRole } from '../layout/needs-role.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { tenderText } from '../parts/tender.ts';
import { timeText } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { Drawers } from './drawers.tsx';
import { type FigureRow, Figures } from './figures.tsx';

type Report = Answer<'getDayReport'>;

export default function Day() {
  return (
    <NeedsRole least="manager">
      <DayPage />
    </NeedsRole>
  );
}

function DayPage() {
  const { timeZone, name } = useStore();
  const { filters, setFilter } = useListState(['date']);
  // Until the time zone is known, today may be another day.
  const isKnown = useRead('getSettings', {}).isSuccess;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  const date = filters.date || today;
  const report = useRead('getDayReport', { query: { date } }, { enabled: isKnown });
  return (
    <Page
      title={`Day report, ${date}`}
      about={name}
      actions={
        <>
          <TextInput
            type="date"
            aria-label="Day"
            max={today}
            value={date}
            onChange={(event) => setFilter('date', event.currentTarget.value)}
          />
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    >
      <Shown of={report} rows={8}>
        {(data) => <DayReport of={data} />}
      </Shown>
    </Page>
  );
}

function DayReport({ of }: { of: Report }) {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {timeText(of.from, of.time_zone)} to {timeText(of.to, of.time_zone)}, {of.time_zone}. A void counts on the day of the void, also of
        an older sale.
      </Text>
      <Grid gap="md">
        <Block title="Sales">
          <Figures label="Sales" of="Sum" heads={['Sales', 'Voids', 'Net']} rows={salesRows(of)} />
        </Block>
        <Block title="Payments">
          <Figures
            label="Payments"
            of="Paid by"
            heads={['Taken', 'Given back', 'Net']}
            rows={of.tenders.map((one) => ({ name: tenderText(one.method), amounts: [one.taken, one.given_back, one.net] }))}
          />
        </Block>
        <Block title="Tax">
          <Figures
            label="Tax"
            of="Component"
            heads={['Sales', 'Voids', 'Net']}
            rows={of.taxes.map((one) => ({ name: `${one.name} ${one.rate} %`, amounts: [one.sales, one.voids, one.net] }))}
          />
        </Block>
        <Block title="Gift cards and store credit">
          <Figures
            label="Gift cards and store credit"
            of="Movement"
            heads={['Count', 'Amount']}
            rows={[...movements('Gift cards', of.gift_cards), ...movements('Store credit', of.store_credits)]}
          />
        </Block>
      </Grid>
      <Section title="Cash drawers">
        <Drawers of={of.drawers} />
      </Section>
    </Stack>
  );
}

function Block({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Grid.Col span={{ base: 12, md: 6 }}>
      <Section title={title} fill>
        {children}
      </Section>
    </Grid.Col>
  );
}

function salesRows({ sales, voids, net }: Report): FigureRow[] {
  const three = [sales, voids, net];
  const row = (name: string, of: (sums: Schemas['DaySums']) => string | number) => ({ name, amounts: three.map(of) });
  const surcharged = three.some(({ green_echeck_surcharge }) => Number(green_echeck_surcharge) !== 0);
  return [
    row('Count', ({ count }) => count),
    row('Subtotal', ({ subtotal }) => subtotal),
    row('Discounts', ({ discount_amount }) => discount_amount),
    row('Tax', ({ tax_amount }) => tax_amount),
    row('Total', ({ total }) => total),
    ...(surcharged ? [row('Green eCheck surcharges', ({ green_echeck_surcharge }) => green_echeck_surcharge)] : []),
  ];
}

const movements = (name: string, of: Schemas['DayMovement'][]): FigureRow[] =>
  of.map(({ transaction_type, count, amount }) => ({ name: `${name}: ${transaction_type}`, amounts: [count, amount] }));
