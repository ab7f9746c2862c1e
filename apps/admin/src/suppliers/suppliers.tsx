/** Who delivers to the store. */
import { Group } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { NeedsRole } from '../layout/needs-role.tsx';
import type { Column } from '../parts/data-table.tsx';
import type { Field } from '../parts/field-input.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { useListState } from '../parts/url-state.ts';

const columns: Column<Schemas['Supplier']>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <b>{name}</b> },
  { id: 'email', header: 'E-mail', from: 'sm', cell: ({ email }) => email ?? '–' },
  { id: 'phone', header: 'Phone', from: 'sm', cell: ({ phone }) => phone ?? '–' },
];
const fields: Field[] = [
  { path: 'name', label: 'Name', kind: 'text', required: true },
  { path: 'email', label: 'E-mail for orders', kind: 'text' },
  { path: 'phone', label: 'Phone', kind: 'text' },
];
const operations = { create: 'createSupplier', update: 'updateSupplier', remove: 'archiveSupplier' } as const;
const one = { get: 'getSupplier', path: '/suppliers' } as const;

export default function Suppliers() {
  return (
    <NeedsRole least="manager">
      <SuppliersPage />
    </NeedsRole>
  );
}

function SuppliersPage() {
  const { page, filters, setPage, setFilter } = useListState(['q']);
  const found = useRead('listSuppliers', { query: { page, per_page: 25, q: filters.q } }, { keepPrevious: true });
  const search = (
    <Group mb="sm" className="filters">
      <SearchInput label="Search suppliers" value={filters.q} onSearch={(text) => setFilter('q', text)} />
    </Group>
  );
  return (
    <Page title="Suppliers" above={['/purchase-orders', 'Purchase orders']}>
      <Records
        noun="supplier"
        member="supplier"
        found={found}
        rowsOf={({ suppliers }) => suppliers}
        paging={{ of: found.data?.pagination, onPage: setPage }}
        columns={columns}
        fieldsOf={() => fields}
        operations={operations}
        one={one}
        changes={['listSuppliers']}
        removal={{ action: 'Archive', about: 'No new order can name them. Their orders keep them.' }}
        empty="Orders of goods name whom they go to."
        filters={search}
      />
    </Page>
  );
}
