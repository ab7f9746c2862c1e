import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';
import { StatusBadge } from '../requests/status-badge.tsx';

const columns: Column<Schemas['KeyCount']>[] = [
  {
    id: 'key',
    header: 'Key',
    cell: ({ key }) => (
      <Anchor component={Link} to={`/requests?key=${key!.id}`} size="sm">
        {key!.name}
      </Anchor>
    ),
  },
  { id: 'requests', header: 'Requests', align: 'right', cell: ({ requests }) => requests.toLocaleString('en') },
  { id: 'errors', header: 'Refused', align: 'right', cell: ({ errors }) => errors.toLocaleString('en') },
  {
    id: 'limited',
    header: '429',
    align: 'right',
    cell: ({ rate_limited: n }) => (n > 0 ? <Badge color="yellow">{n.toLocaleString('en')}</Badge> : 0),
  },
];

export function RequestsByKey({ of }: { of: Schemas['RequestSummary'] }) {
  return (
    <>
      <DataTable
        label="Requests by key"
        columns={columns}
        rows={of.keys}
        rowId={({ key }) => key!.id}
        empty={<Empty title="No key was used in 24 hours" />}
      />
      <Group gap="sm">
        {of.statuses.map(({ status, requests }) => (
          <Group key={status} gap={4} wrap="nowrap">
            <StatusBadge status={status} />
            <Text span size="sm" className="numeric">
              {requests.toLocaleString('en')}
            </Text>
          </Group>
        ))}
      </Group>
    </>
  );
}
