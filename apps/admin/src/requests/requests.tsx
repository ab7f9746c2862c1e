/** Recent requests, each with a link to everything it caused. */

import { Group, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FindRequest } from '../parts/find-request.tsx';
import { KeySelect } from '../parts/key-select.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { StatusBadge } from './status-badge.tsx';

const columns: Column<Schemas['AnsweredRequest']>[] = [
  { id: 'status', header: t('Status'), cell: (one) => <StatusBadge status={one.status} /> },
  {
    id: 'route',
    header: t('Request'),
    cell: (one) => (
      <Stack gap={0}>
        <LinkTo to={`/requests/${encodeURIComponent(one.id)}`} className="code">
          {one.method} {one.route ?? t('(no such endpoint)')}
        </LinkTo>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {one.key?.name ?? one.user?.name}, <Time at={one.created_at} seconds />
        </Text>
      </Stack>
    ),
  },
  { id: 'by', header: t('By'), from: 'sm', cell: (one) => (one.key ? one.key.name : (one.user?.name ?? '–')) },
  { id: 'took', header: t('Took'), align: 'right', from: 'sm', cell: (one) => `${numberText(one.duration_ms)} ms` },
  { id: 'at', header: t('Answered'), from: 'sm', cell: (one) => <Time at={one.created_at} seconds /> },
  {
    id: 'id',
    header: t('Request id'),
    from: 'lg',
    cell: (one) => (
      <Text size="xs" className="code" truncate maw={180}>
        {one.id}
      </Text>
    ),
  },
];

const statuses = [
  { value: '2xx', label: t('Succeeded (2xx)') },
  { value: '4xx', label: t('Refused (4xx)') },
  { value: '5xx', label: t('Failed (5xx)') },
];

const makers = [
  { value: 'keys', label: t('By keys') },
  { value: 'staff', label: t('By staff') },
  { value: 'all', label: t('By anybody') },
];

export default function Requests() {
  const { page, filters, setPage, setFilter, choice } = useListState(['key', 'status', 'by']);
  const navigate = useNavigate();
  const query = {
    page,
    per_page: 25,
    // What programs did is looked for here; the panel's own requests would hide it.
    ...(filters.by !== 'all' && !filters.key && { by: (filters.by || 'keys') as 'keys' | 'staff' }),
    ...(filters.key && { key_id: Number(filters.key) }),
    ...(filters.status && { status: filters.status }),
  };
  const requests = useRead('listRequests', { query }, { keepPrevious: true });
  return (
    <Page
      title={t('Requests')}
      about={t(
        'The requests of the last 30 days, with what each of them caused. Those refused with 401 or 429 are only counted: Today shows how many.',
      )}
      actions={<FindRequest />}
    >
      <Section>
        <Group mb="sm" gap="sm" className="filters">
          <KeySelect {...choice('key')} />
          <Select
            aria-label={t('Made by')}
            data={makers}
            value={filters.by || 'keys'}
            onChange={(value) => setFilter('by', value === 'keys' ? '' : (value ?? ''))}
          />
          <Select aria-label={t('Status')} placeholder={t('Any status')} clearable data={statuses} {...choice('status')} />
        </Group>
        <Shown of={requests}>
          {(data) => (
            <DataTable
              label={t('Requests')}
              columns={columns}
              rows={data.requests}
              rowId={(one) => `${one.id} ${one.created_at}`}
              paging={{ of: data.pagination, onPage: setPage }}
              onRow={({ id }) => navigate(`/requests/${encodeURIComponent(id)}`)}
              empty={<Empty title={t('No request matches')}>{t('Requests appear here within two seconds of their answer.')}</Empty>}
            />
          )}
        </Shown>
      </Section>
    </Page>
  );
}
