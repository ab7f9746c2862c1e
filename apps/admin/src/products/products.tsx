import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { flat } from '../categories/tree.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { SearchSelect } from '../parts/search-select.tsx';
import { Empty } from '../parts/states.tsx';
import { useListState } from '../parts/url-state.ts';
import { ProductForm } from './product-form.tsx';
import { StockBadge } from './stock-badge.tsx';

type Product = Schemas['Product'];

const columns: Column<Product>[] = [
  {
    id: 'name',
    header: t('Product'),
    cell: (product) => (
      <Stack gap={0}>
        <LinkTo to={`/products/${product.id}`} fw={600}>
          {product.name}
        </LinkTo>
        {!product.active && <Badge color="gray">{t('inactive')}</Badge>}
        <Text size="xs" c="dimmed">
          {[product.sku, product.brand].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
    ),
  },
  {
    id: 'categories',
    header: t('Categories'),
    from: 'md',
    cell: (product) => product.categories.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'price',
    header: t('Price'),
    align: 'right',
    cell: (product) => (
      <Group gap={6} justify="flex-end" wrap="nowrap">
        {product.on_sale && (
          <Badge color="green" visibleFrom="sm">
            {t('On sale')}
          </Badge>
        )}
        <Amount of={product.effective_price} />
      </Group>
    ),
  },
  { id: 'stock', header: t('Stock'), align: 'right', cell: (product) => <StockBadge of={product} /> },
];

export default function Products() {
  const { page, filters, setPage, setFilter, choice } = useListState(['search', 'category', 'all']);
  const navigate = useNavigate();
  const mayWrite = useMay('manager');
  const [creating, setCreating] = useState(false);
  const query = { page, per_page: 25, search: filters.search, category: filters.category, ...(filters.all && { all: true }) };
  const products = useRead('listProducts', { query }, { keepPrevious: true });
  const categories = useRead('listCategories', {});
  return (
    <Page title={t('Products')} actions={mayWrite && <Button onClick={() => setCreating(true)}>{t('New product')}</Button>}>
      <Section>
        <Group mb="sm" gap="sm" className="filters">
          <SearchInput
            label={t('Search products')}
            placeholder={t('Name, sku, barcode or brand')}
            value={filters.search}
            onSearch={(text) => setFilter('search', text)}
          />
          <SearchSelect
            aria-label={t('Category')}
            placeholder={t('Any category')}
            clearable
            data={flat(categories.data?.categories ?? []).map(({ slug, full_name }) => ({ value: slug, label: full_name }))}
            {...choice('category')}
          />
          <Switch
            label={t('Inactive too')}
            checked={filters.all !== ''}
            onChange={(event) => setFilter('all', event.currentTarget.checked ? 'yes' : '')}
          />
        </Group>
        <ReadTable
          label={t('Products')}
          of={products}
          rows={(data) => data.products}
          columns={columns}
          onPage={setPage}
          onRow={({ id }) => navigate(`/products/${id}`)}
          empty={<Empty title={t('No product matches')}>{t('Try another word or category.')}</Empty>}
        />
      </Section>
      {creating && <ProductForm onClose={() => setCreating(false)} onSaved={({ id }) => navigate(`/products/${id}`)} />}
    </Page>
  );
}
