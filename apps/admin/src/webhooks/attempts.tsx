import { Badge, Button, Text } from '@mantine/core';
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
        <Text size="xs" className="code nowrap">
          {one.event}
        </Text>
      ),
    },
    { id: 'duration', header: 'Took', align: 'right', from: 'sm', cell: (one) => `${one.duration_ms.toLocaleString('en')} ms` },
    { id: 'at', header: 'Sent', cell: (one) => <Time at={one.created_at} ago /> },
    { id: 'next', header: 'Next try', from: 'lg', cell: (one) => (one.success ? '–' : <Time at={one.next_attempt_at} ago />) },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      from: 'xs',
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

function Outcome({ of }: { of: Attempt }) {
  if (of.success) return <Badge color="green">{of.response_status} delivered</Badge>;
  return <Badge color="red">{of.response_status === 0 ? 'No answer' : `${of.response_status} failed`}</Badge>;
}
