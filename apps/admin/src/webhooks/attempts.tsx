import { Badge, Button, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { numberText, t } from '../language/t.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { outcomeText } from './outcome-text.ts';

type Attempt = Schemas['MonitoredAttempt'];

export function Attempts({ of }: { of: Attempt[] }) {
  const mayResend = useMay('manager');
  const { mutate } = useWrite('resendDelivery', { changes: ['getMonitor'], done: t('The event is on its way again') });
  const columns = useMemo(() => columnsOf(mayResend ? (id) => mutate({ params: { id } }) : undefined), [mayResend, mutate]);
  return (
    <DataTable
      label={t('Delivery attempts')}
      columns={columns}
      rows={of}
      rowId={({ id }) => id}
      empty={
        <Empty title={t('Nothing was sent yet')}>{t('The next event that this receiver subscribed to appears here by itself.')}</Empty>
      }
    />
  );
}

function columnsOf(resend: ((deliveryId: number) => void) | undefined): Column<Attempt>[] {
  return [
    { id: 'outcome', header: t('Outcome'), cell: (one) => <Outcome of={one} /> },
    {
      id: 'event',
      header: t('Event'),
      cell: (one) => (
        <Stack gap={2}>
          <Text size="xs" className="code">
            {one.event}
          </Text>
          <Text size="xs" c="dimmed">
            {one.attempt > 1 && `${t('attempt {n}', { n: one.attempt })}, `}
            <Time at={one.created_at} ago />
          </Text>
        </Stack>
      ),
    },
    { id: 'duration', header: t('Took'), align: 'right', from: 'xs', cell: (one) => `${numberText(one.duration_ms)} ms` },
    {
      id: 'next',
      header: t('Next try'),
      from: 'xs',
      cell: (one) => (one.success || !one.next_attempt_at ? '–' : <Time at={one.next_attempt_at} ago />),
    },
    {
      id: 'actions',
      header: t('Actions'),
      align: 'right',
      cell: (one) =>
        resend ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => resend(one.delivery_id)}
            aria-label={t('Resend {event} of delivery {deliveryId}', { event: one.event, deliveryId: one.delivery_id })}
          >
            {t('Resend')}
          </Button>
        ) : (
          '–'
        ),
    },
  ];
}

function Outcome({ of }: { of: Attempt }) {
  if (of.outcome === null) return <Badge color="gray">{t('Sending')}</Badge>;
  if (of.success) return <Badge color="green">{t('{status} delivered', { status: of.response_status })}</Badge>;
  return (
    <Badge color="red">{of.response_status === 0 ? outcomeText(of.outcome) : t('{status} failed', { status: of.response_status })}</Badge>
  );
}
