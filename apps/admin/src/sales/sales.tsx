import { Group, SegmentedControl, Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { CustomerSearch } from '../parts/customer-search.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { Empty } from '../parts/states.tsx';
import { dayIn, Time } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { worded } from '../parts/worded.ts';
import { SaleStatus } from './sale-status.tsx';

type Sale = Schemas['Sale'];

const columns: Column<Sale>[] = [
  {
    id: 'receipt',
    header: t('Receipt'),
    cell: (sale) => (
      <LinkTo to={`/sales/${sale.id}`} fw={600} className="nowrap">
        {sale.receipt_number}
      </LinkTo>
    ),
  },
  { id: 'status', header: t('Status'), cell: (sale) => <SaleStatus of={sale.status} /> },
  { id: 'customer', header: t('Customer'), from: 'sm', cell: (sale) => sale.customer?.name ?? t('Walk-in') },
  { id: 'clerk', header: t('Clerk'), from: 'lg', cell: (sale) => sale.clerk ?? '–' },
  { id: 'lines', header: t('Lines'), align: 'right', from: 'md', cell: (sale) => sale.line_items.length },
  { id: 'at', header: t('When'), from: 'sm', cell: (sale) => <Time at={sale.completed_at ?? sale.created_at} /> },
  { id: 'total', header: t('Total'), align: 'right', cell: (sale) => <Amount of={sale.total} /> },
];

const periods = [
  { value: 'today', label: t('Today') },
  { value: 'yesterday', label: t('Yesterday') },
  { value: 'week', label: t('7 days') },
  { value: 'month', label: t('Month') },
] as const;
/** Of any date, and changed today: the void of an older sale is among them. */
const changed = { value: 'changed', label: t('Changed') };
const anyDate = { value: 'any', label: t('Any date') };
const statuses = (['pending', 'ready', 'completed', 'voided'] as const).map((value) => ({
  value,
  label: value === 'pending' ? t('Parked') : worded(value),
}));

export default function Sales() {
  const { page, filters, setPage, setFilter, choice } = useListState(['search', 'period', 'status', 'customer']);
  const navigate = useNavigate();
  const { search, customer } = filters;
  const { timeZone } = useStore();
  const status = statuses.find(({ value }) => value === filters.status)?.value;
  // Of one customer, sales of any date.
  const shown = filters.period || (customer ? 'any' : 'today');
  const period = periods.find(({ value }) => value === shown)?.value;
  const query = {
    page,
    per_page: 25,
    search,
    ...(status && { status }),
    ...(period && { period }),
    ...(shown === changed.value && { updated_since: dayIn(timeZone) }),
    ...(customer && { customer_id: Number(customer) }),
  };
  const sales = useRead('listSales', { query }, { keepPrevious: true });
  return (
    <Page title={t('Sales')}>
      <Section>
        <Group mb="sm" gap="sm" className="filters">
          <SearchInput
            label={t('Search all sales')}
            placeholder={t('Receipt, customer or phone')}
            value={filters.search}
            onSearch={(text) => setFilter('search', text)}
          />
          <SegmentedControl
            aria-label={t('Period')}
            className="wide"
            data={customer ? [...periods, changed, anyDate] : [...periods, changed]}
            value={shown}
            onChange={(value) => setFilter('period', value)}
            disabled={filters.search !== ''}
          />
          <OfCustomer id={customer} onChange={(id) => setFilter('customer', id)} />
          <Select aria-label={t('Status')} placeholder={t('Any status')} clearable w={140} data={statuses} {...choice('status')} />
        </Group>
        <ReadTable
          label={t('Sales')}
          of={sales}
          rows={(data) => data.sales}
          columns={columns}
          onPage={setPage}
          onRow={({ id }) => navigate(`/sales/${id}`)}
          empty={<Empty title={t('No sale matches')}>{t('Sales of the chosen period appear here.')}</Empty>}
        />
      </Section>
    </Page>
  );
}

/** An archived customer, who cannot be read, is shown by the id. */
function OfCustomer({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const { has } = useStore();
  const found = useRead('getCustomer', { params: { id: Number(id) } }, { enabled: has.customers && id !== '' });
  if (!has.customers) return null;
  const customer = id === '' ? undefined : { id: Number(id), name: found.data?.customer?.name ?? id };
  return (
    <CustomerSearch
      customer={customer}
      onChange={(chosen) => onChange(chosen ? String(chosen.id) : '')}
      none={t('Any customer')}
      isFilter
    />
  );
}
