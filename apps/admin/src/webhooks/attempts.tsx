import { Badge, Button, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

type Attempt = Schemas['MonitoredAttempt'];

export function Attempts({ of }: { of: Attempt[] }) {
  const mayResend = useMay('manager');
  const { mutate } = useWrite('resendDelivery', { changes: ['getMonitor'], done: 'The event is on its way again' });
  const columns = useMemo(() => columnsOf(mayResend ? (id) => mutate({ params: { id } }) : undefined), [mayResend, mutate]);
  return (
    <DataTable
      label="Delivery attempts"
      columns={columns}
      rows={of}
      rowId={({ id }) => id}
      empty={<Empty title="Nothing was sent yet">The next event that this receiver subscribed to appears here by itself.</Empty>}
    />
  );
}

function columnsOf(resend: ((deliveryId: number) => void) | undefined): Column<Attempt>[] {
  return [
    { id: 'outcome', header: 'Outcome', cell: (one) => <Outcome of={one} /> },
    {
      id: 'event',
      header: 'Event',
      cell: (one) => (
        <Stack gap={2}>
          <Text size="xs" className="code">
            {one.event}
          </Text>
          <Text size="xs" c="dimmed">
            {one.attempt > 1 && `attempt ${one.attempt}, `}
            <Time at={one.created_at} ago />
          </Text>
        </Stack>
      ),
    },
    { id: 'duration', header: 'Took', align: 'right', from: 'xs', cell: (one) => `${one.duration_ms.toLocaleString('en')} ms` },
    {
      id: 'next',
      header: 'Next try',
      from: 'xs',
      cell: (one) => (one.success || !one.next_attempt_at ? '–' : <Time at={one.next_attempt_at} ago />),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      cell: (one) =>
        resend ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => resend(one.delivery_id)}
            aria-label={`Resend ${one.event} of delivery ${one.delivery_id}`}
          >
            Resend
          </Button>
        ) : (
          '–'
        ),
    },
  ];
}

/** Why there was no answer, where the reason says more than its name. */
const reasons: Record<string, string> = {
  timeout: 'timed out',
  refused: 'connection refused',
  reset: 'connection reset',
  dns: 'name not found',
  tls: 'certificate refused',
  blocked: 'address not allowed',
  not_https: 'not https',
  secret_unreadable: 'secret unreadable',
};

function Outcome({ of }: { of: Attempt }) {
  if (of.outcome === null) return <Badge color="gray">Sending</Badge>;
  if (of.success) return <Badge color="green">{of.response_status} delivered</Badge>;
  return <Badge color="red">{of.response_status === 0 ? (reasons[of.outcome] ?? of.outcome) : `${of.response_status} failed`}</Badge>;
}
