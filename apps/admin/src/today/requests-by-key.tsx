import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Empty } from '../parts/states.tsx';
import { StatusBadge } from '../requests/status-badge.tsx';

const columns: Column<Schemas['KeyCount']>[] = [
  { id: 'key', header: t('Key'), cell: ({ key }) => <LinkTo to={`/requests?key=${key!.id}`}>{key!.name}</LinkTo> },
  { id: 'requests', header: t('Requests'), align: 'right', cell: ({ requests }) => numberText(requests) },
  { id: 'errors', header: t('Refused'), align: 'right', cell: ({ errors }) => numberText(errors) },
  {
    id: 'limited',
    header: '429',
    align: 'right',
    cell: ({ rate_limited: n }) => (n > 0 ? <Badge color="yellow">{numberText(n)}</Badge> : 0),
  },
];

export function RequestsByKey({ of }: { of: Schemas['RequestSummary'] }) {
  return (
    <Stack gap="sm">
      <DataTable
        label={t('Requests by key')}
        columns={columns}
        rows={of.keys}
        rowId={({ key }) => key!.id}
        empty={<Empty title={t('No key was used in 24 hours')} />}
      />
      <Group gap="sm">
        {of.statuses.map(({ status, requests }) => (
          <Group key={status} gap={4} wrap="nowrap">
            <StatusBadge status={status} />
            <Text span size="sm" className="numeric">
              {numberText(requests)}
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
