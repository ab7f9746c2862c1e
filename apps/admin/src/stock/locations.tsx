/** Where stock is kept: on the shop floor and in the back. */
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import type { Column } from '../parts/data-table.tsx';
import type { Field } from '../parts/field-input.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';

const kinds = [
  { value: 'floor', label: 'Shop floor' },
  { value: 'back', label: 'In the back' },
];

const columns: Column<Schemas['WarehouseLocation']>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <b>{name}</b> },
  { id: 'kind', header: 'Where', cell: ({ kind }) => kinds.find(({ value }) => value === kind)?.label },
];
const fields: Field[] = [
  { path: 'name', label: 'Name', kind: 'text', required: true },
  { path: 'kind', label: 'Where', kind: 'choice', choices: kinds },
];
const operations = {
  create: 'createWarehouseLocation',
  update: 'updateWarehouseLocation',
  remove: 'deleteWarehouseLocation',
} as const;

export default function Locations() {
  const found = useRead('listWarehouseLocations', {});
  return (
    <Page title="Stock locations" above={['/stock', 'Stock ledger']}>
      <Records
        noun="location"
        member="warehouse_location"
        found={found}
        rowsOf={({ warehouse_locations }) => warehouse_locations}
        columns={columns}
        fieldsOf={() => fields}
        initial={{ kind: 'floor' }}
        operations={operations}
        changes={['listWarehouseLocations']}
        removal={{ action: 'Delete', about: 'The ledger keeps its name. Only an empty location can be deleted.' }}
        empty="Stock is then counted and moved by location."
      />
    </Page>
  );
}
