/** Rows of the stock ledger, newest first, paged by the API. */

import { Badge, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useListState } from '../parts/url-state.ts';
import { spoken } from '../parts/worded.ts';

type Row = Schemas['StockAdjustment'];

const perPage = 25;
const signed = (quantity: number) => `${quantity > 0 ? '+' : quantity < 0 ? '−' : ''}${numberText(Math.abs(quantity))}`;

const productColumn: Column<Row> = {
  id: 'product',
  header: t('Product'),
  cell: (row) => <LinkTo to={`/products/${row.product_id}`}>{row.product_name}</LinkTo>,
};

const columns: Column<Row>[] = [
  { id: 'type', header: t('Type'), cell: (row) => <Badge color="gray">{spoken(row.adjustment_type)}</Badge> },
  {
    id: 'change',
    header: t('Change|amount'),
    align: 'right',
    cell: (row) => (
      <Text span size="sm" fw={600} c={row.quantity_change < 0 ? 'red' : row.quantity_change > 0 ? 'green' : undefined}>
        {signed(row.quantity_change)}
      </Text>
    ),
  },
  { id: 'after', header: t('After'), align: 'right', from: 'xs', cell: (row) => numberText(row.quantity_after) },
  { id: 'reason', header: t('Reason'), from: 'md', cell: (row) => row.reason ?? '–' },
  { id: 'by', header: t('By'), from: 'lg', cell: (row) => row.user?.name ?? '–' },
  { id: 'at', header: t('When'), from: 'sm', cell: (row) => <Time at={row.created_at} ago /> },
];

const columnsOfStore = [productColumn, ...columns];

interface LedgerProps {
  productId?: number;
  type?: string;
}

export function Ledger({ productId, type = '' }: LedgerProps) {
  const { page, setPage } = useListState([]);
  const query = { page, per_page: perPage, adjustment_type: type, ...(productId !== undefined && { product_id: productId }) };
  const rows = useRead('listStockAdjustments', { query }, { keepPrevious: true });
  return (
    <ReadTable
      label={t('Stock ledger')}
      of={rows}
      rows={(data) => data.stock_adjustments}
      columns={productId === undefined ? columnsOfStore : columns}
      onPage={setPage}
      empty={<Empty title={t('No stock has moved')}>{t('Sales, receipts and adjustments appear here.')}</Empty>}
    />
  );
}
