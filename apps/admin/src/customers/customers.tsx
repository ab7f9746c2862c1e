import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { nameless } from '../parts/worded.ts';
import { CustomerForm } from './customer-form.tsx';

const columns: Column<Schemas['Customer']>[] = [
  {
    id: 'name',
    header: t('Customer'),
    cell: (one) => (
      <Stack gap={0}>
        <LinkTo to={`/customers/${one.id}`} fw={600}>
          {one.name ?? nameless}
        </LinkTo>
        <Text size="xs" c="dimmed">
          {one.customer_code}
        </Text>
      </Stack>
    ),
  },
  { id: 'contact', header: t('Contact'), from: 'sm', cell: (one) => one.email ?? one.phone ?? '–' },
  { id: 'tier', header: t('Tier'), from: 'md', cell: (one) => one.loyalty_tier ?? '–' },
  { id: 'visits', header: t('Visits'), align: 'right', from: 'md', cell: (one) => numberText(one.visit_count) },
  { id: 'spend', header: t('Spent'), align: 'right', cell: (one) => <Amount of={one.lifetime_spend} /> },
  { id: 'updated', header: t('Changed|when'), from: 'lg', cell: (one) => <Time at={one.updated_at} ago /> },
];

export default function Customers() {
  const { page, filters, setPage, setFilter } = useListState(['q']);
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const customers = useRead('listCustomers', { query: { page, per_page: 25, q: filters.q } }, { keepPrevious: true });
  return (
    <Page title={t('Customers')} actions={<Button onClick={() => setCreating(true)}>{t('New customer')}</Button>}>
      <Section>
        <Group mb="sm">
          <SearchInput
            label={t('Search customers')}
            placeholder={t('Name, e-mail, phone, code or card')}
            value={filters.q}
            onSearch={(text) => setFilter('q', text)}
          />
        </Group>
        <ReadTable
          label={t('Customers')}
          of={customers}
          rows={(data) => data.customers}
          columns={columns}
          onPage={setPage}
          onRow={({ id }) => navigate(`/customers/${id}`)}
          empty={<Empty title={t('No customer matches')} />}
        />
      </Section>
      {creating && <CustomerForm onClose={() => setCreating(false)} onSaved={({ id }) => navigate(`/customers/${id}`)} />}
    </Page>
  );
}
