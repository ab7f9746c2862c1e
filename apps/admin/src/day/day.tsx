/** A day's end: what was sold, taken and given back, to look at and to print. */

import { Button, Grid, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { locale, t } from '../language/t.ts';
import { Page, Section } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { dayIn, timeText } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { spoken, worded } from '../parts/worded.ts';
import { OpenDrawers } from '../register/drawer.tsx';
import { Drawers } from './drawers.tsx';
import { type FigureRow, Figures } from './figures.tsx';

type Report = Answer<'getDayReport'>;

export default function Day() {
  // Until the time zone is known, today may be another day.
  const { timeZone, name, isKnown } = useStore();
  const { filters, setFilter } = useListState(['date']);
  const today = dayIn(timeZone);
  const date = filters.date || today;
  // What was sold or counted a moment ago is in it.
  const report = useRead('getDayReport', { query: { date } }, { enabled: isKnown, staleTime: 0 });
  /** What is on the paper was read since Print was pressed. */
  const [toPrint, setToPrint] = useState<Report>();
  useEffect(() => {
    if (toPrint === undefined || report.data !== toPrint) return;
    setToPrint(undefined);
    window.print();
  }, [toPrint, report.data]);
  const shown = useRef(date);
  shown.current = date;
  const print = async () => {
    const { data, isSuccess } = await report.refetch();
    // Another day may have been chosen meanwhile.
    if (isSuccess && shown.current === date) setToPrint(data);
  };
  return (
    <Page
      title={t('Day report, {date}', { date: dayText(date) })}
      about={name}
      actions={
        <>
          <TextField
            type="date"
            aria-label={t('Day')}
            max={today}
            value={date}
            onText={(day) => {
              setToPrint(undefined);
              setFilter('date', day);
            }}
          />
          <Button variant="default" loading={report.isFetching || !isKnown} onClick={print}>
            {t('Print')}
          </Button>
        </>
      }
    >
      <Shown of={report} rows={8}>
        {(data) => <DayReport of={data} readAt={report.dataUpdatedAt} />}
      </Shown>
      {/* What is typed of a count stays, whatever becomes of the report: another day begins at midnight. */}
      <OpenDrawers />
    </Page>
  );
}

function DayReport({ of, readAt }: { of: Report; readAt: number }) {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('{from} to {to}, {timeZone}. A void counts on the day of the void, also of an older sale.', {
          from: timeText(of.from, of.time_zone),
          to: timeText(of.to, of.time_zone),
          timeZone: of.time_zone,
        })}{' '}
        {t('As of {time}.', { time: timeText(new Date(readAt).toISOString(), of.time_zone) })}
      </Text>
      <Grid gap="md">
        <Block title={t('Sales')}>
          <Figures label={t('Sales')} of={t('Sum')} heads={[t('Sales'), t('Voids'), t('Net')]} rows={salesRows(of)} />
        </Block>
        <Block title={t('Payments')}>
          <Figures
            label={t('Payments')}
            of={t('Paid by')}
            heads={[t('Taken'), t('Given back'), t('Net')]}
            rows={of.tenders.map((one) => ({ name: worded(one.method), amounts: [one.taken, one.given_back, one.net] }))}
          />
        </Block>
        <Block title={t('Tax')}>
          <Figures
            label={t('Tax')}
            of={t('Component')}
            heads={[t('Sales'), t('Voids'), t('Net')]}
            rows={of.taxes.map((one) => ({ name: `${one.name} ${one.rate} %`, amounts: [one.sales, one.voids, one.net] }))}
          />
        </Block>
        <Block title={t('Gift cards and store credit')}>
          <Figures
            label={t('Gift cards and store credit')}
            of={t('Movement')}
            heads={[t('Count'), t('Amount')]}
            rows={[...movements(t('Gift cards'), of.gift_cards), ...movements(t('Store credit'), of.store_credits)]}
          />
        </Block>
      </Grid>
      <Section title={t('Cash drawers')}>
        <Drawers of={of.drawers} />
      </Section>
    </Stack>
  );
}

/** As people write a day; what is none as it is. */
function dayText(date: string): string {
  const at = Date.parse(date);
  return Number.isNaN(at) ? date : new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

function Block({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Grid.Col span={{ base: 12, lg: 6 }}>
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
    row(t('Count'), ({ count }) => count),
    row(t('Subtotal'), ({ subtotal }) => subtotal),
    row(t('Discounts'), ({ discount_amount }) => discount_amount),
    row(t('Tax'), ({ tax_amount }) => tax_amount),
    row(t('Total'), ({ total }) => total),
    ...(surcharged ? [row(t('Green eCheck surcharges'), ({ green_echeck_surcharge }) => green_echeck_surcharge)] : []),
  ];
}

const movements = (name: string, of: Schemas['DayMovement'][]): FigureRow[] =>
  of.map(({ transaction_type, count, amount }) => ({
    name: t('{name}: {movement}', { name, movement: spoken(transaction_type) }),
    amounts: [count, amount],
  }));
