/** Where stock is kept: on the shop floor and in the back. */

import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import type { Column } from '../parts/data-table.tsx';
import type { Field } from '../parts/field-input.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';

const kinds = [
  { value: 'floor', label: t('Shop floor') },
  { value: 'back', label: t('In the back') },
];

const columns: Column<Schemas['WarehouseLocation']>[] = [
  { id: 'name', header: t('Name'), cell: ({ name }) => <b>{name}</b> },
  { id: 'kind', header: t('Where'), cell: ({ kind }) => kinds.find(({ value }) => value === kind)?.label },
];
const fields: Field[] = [
  { path: 'name', label: t('Name'), kind: 'text', required: true },
  { path: 'kind', label: t('Where'), kind: 'choice', choices: kinds },
];
const operations = {
  create: 'createWarehouseLocation',
  update: 'updateWarehouseLocation',
  remove: 'deleteWarehouseLocation',
} as const;

export default function Locations() {
  const found = useRead('listWarehouseLocations', {});
  return (
    <Page title={t('Stock locations')} above={['/stock', t('Stock ledger')]}>
      <Records
        texts={{
          list: t('List of locations'),
          create: t('New location'),
          none: t('No location yet'),
          saved: t('The location is saved'),
          gone: t('The location is deleted'),
        }}
        member="warehouse_location"
        found={found}
        rowsOf={({ warehouse_locations }) => warehouse_locations}
        columns={columns}
        fieldsOf={() => fields}
        initial={{ kind: 'floor' }}
        operations={operations}
        changes={['listWarehouseLocations']}
        removal={{ action: t('Delete'), about: t('The ledger keeps its name. Only an empty location can be deleted.') }}
        empty={t('Stock is then counted and moved by location.')}
      />
    </Page>
  );
}
