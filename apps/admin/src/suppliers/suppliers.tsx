/** Who delivers to the store. */

import { Group } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import type { Column } from '../parts/data-table.tsx';
import type { Field } from '../parts/field-input.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { useListState } from '../parts/url-state.ts';

const columns: Column<Schemas['Supplier']>[] = [
  { id: 'name', header: t('Name'), cell: ({ name }) => <b>{name}</b> },
  { id: 'email', header: t('E-mail'), from: 'sm', cell: ({ email }) => email ?? '–' },
  { id: 'phone', header: t('Phone'), from: 'sm', cell: ({ phone }) => phone ?? '–' },
];
const fields: Field[] = [
  { path: 'name', label: t('Name'), kind: 'text', required: true },
  { path: 'email', label: t('E-mail for orders'), kind: 'text' },
  { path: 'phone', label: t('Phone'), kind: 'text' },
];
const operations = { create: 'createSupplier', update: 'updateSupplier', remove: 'archiveSupplier' } as const;
const one = { get: 'getSupplier', path: '/suppliers' } as const;

export default function Suppliers() {
  const { page, filters, setPage, setFilter } = useListState(['q']);
  const found = useRead('listSuppliers', { query: { page, per_page: 25, q: filters.q } }, { keepPrevious: true });
  const search = (
    <Group mb="sm" className="filters">
      <SearchInput label={t('Search suppliers')} value={filters.q} onSearch={(text) => setFilter('q', text)} />
    </Group>
  );
  return (
    <Page title={t('Suppliers')} above={['/purchase-orders', t('Purchase orders')]}>
      <Records
        texts={{
          list: t('List of suppliers'),
          create: t('New supplier'),
          none: t('No supplier yet'),
          saved: t('The supplier is saved'),
          gone: t('The supplier is archived'),
        }}
        member="supplier"
        found={found}
        rowsOf={({ suppliers }) => suppliers}
        onPage={setPage}
        columns={columns}
        fieldsOf={() => fields}
        operations={operations}
        one={one}
        changes={['listSuppliers']}
        removal={{ action: t('Archive'), about: t('No new order can name them. Their orders keep them.') }}
        empty={t('Orders of goods name whom they go to.')}
        filters={search}
      />
    </Page>
  );
}
