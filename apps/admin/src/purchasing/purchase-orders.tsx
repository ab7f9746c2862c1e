import { Badge, Button, Group, Select, Switch } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { worded } from '../parts/worded.ts';
import { OrderStatus } from './order-status.tsx';

type Order = Schemas['PurchaseOrder'];

const columns: Column<Order>[] = [
  {
    id: 'number',
    header: t('Order'),
    cell: (order) => (
      <LinkTo to={`/purchase-orders/${order.id}`} fw={600} className="nowrap">
        {order.order_number}
      </LinkTo>
    ),
  },
  { id: 'supplier', header: t('Supplier'), from: 'sm', cell: (order) => order.supplier?.name ?? '–' },
  {
    id: 'status',
    header: t('Status'),
    cell: (order) => (
      <Group gap={6}>
        <OrderStatus of={order.status} />
        {order.has_variance && <Badge color="orange">{t('variance')}</Badge>}
      </Group>
    ),
  },
  { id: 'lines', header: t('Lines'), align: 'right', from: 'md', cell: (order) => order.line_items.length },
  { id: 'at', header: t('Ordered'), from: 'sm', cell: (order) => <Time at={order.ordered_at ?? order.created_at} /> },
  { id: 'total', header: t('Total'), align: 'right', cell: (order) => <Amount of={order.total} /> },
];

const statuses = ['pending', 'confirmed', 'shipped', 'partially_received', 'received', 'cancelled'] as const;

export default function PurchaseOrders() {
  const { page, filters, setPage, setFilter, choice } = useListState(['status', 'variance']);
  const navigate = useNavigate();
  const status = statuses.find((known) => known === filters.status);
  const query = { page, per_page: 25, ...(status && { status }), ...(filters.variance && { with_variance: true }) };
  const orders = useRead('listPurchaseOrders', { query }, { keepPrevious: true });
  const create = (
    <>
      <Button component={Link} to="/suppliers" variant="default">
        {t('Suppliers')}
      </Button>
      <Button component={Link} to="/purchase-orders/new">
        {t('New order')}
      </Button>
    </>
  );
  return (
    <Page title={t('Purchase orders')} actions={create}>
      <Section>
        <Group mb="sm" gap="md" className="filters">
          <Select
            aria-label={t('Status')}
            placeholder={t('Any status')}
            clearable
            data={statuses.map((value) => ({ value, label: worded(value) }))}
            {...choice('status')}
          />
          <Switch
            label={t('With variance')}
            checked={filters.variance !== ''}
            onChange={(event) => setFilter('variance', event.currentTarget.checked ? 'yes' : '')}
          />
        </Group>
        <ReadTable
          label={t('Purchase orders')}
          of={orders}
          rows={(data) => data.purchase_orders}
          columns={columns}
          onPage={setPage}
          onRow={({ id }) => navigate(`/purchase-orders/${id}`)}
          empty={<Empty title={t('No order matches')}>{t('Order goods from a supplier, then receive them here.')}</Empty>}
        />
      </Section>
    </Page>
  );
}
