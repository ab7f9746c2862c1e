/** The tree of categories; managers create, rename and delete. */

import { Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import type { Column } from '../parts/data-table.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';
import { flat } from './tree.ts';

type Category = ReturnType<typeof flat>[number];

const indentPx = 20;

const columns: Column<Category>[] = [
  {
    id: 'name',
    header: t('Name'),
    cell: ({ name, depth }) => (
      <Text size="sm" fw={depth === 0 ? 600 : 400} pl={depth * indentPx}>
        {name}
      </Text>
    ),
  },
  { id: 'products', header: t('Products'), align: 'right', cell: ({ total_product_count }) => total_product_count },
];
const operations = { create: 'createCategory', update: 'updateCategory', remove: 'deleteCategory' } as const;
const rowsOf = ({ categories }: { categories: Schemas['Category'][] }) => flat(categories);

export default function Categories() {
  const found = useRead('listCategories', { query: { all: true } });
  const all = rowsOf(found.data ?? { categories: [] });
  const above = (category: Category | undefined) =>
    all.filter(({ id }) => id !== category?.id).map(({ id, full_name }) => ({ value: String(id), label: full_name }));
  return (
    <Page title={t('Categories')} about={t('Programs see those that have an active product.')}>
      <Records
        texts={{
          list: t('List of categories'),
          create: t('New category'),
          none: t('No category yet'),
          saved: t('The category is saved'),
          gone: t('The category is deleted'),
        }}
        member="category"
        found={found}
        rowsOf={rowsOf}
        columns={columns}
        fieldsOf={(category) => [
          { path: 'name', label: t('Name'), kind: 'text', required: true },
          { path: 'parent_id', label: t('Below'), kind: 'record', choices: above(category) },
        ]}
        operations={operations}
        changes={['listCategories', 'listProducts']}
        removal={{ action: t('Delete'), about: t('Its products stay and lose it.') }}
        empty={t('A category groups products here, at the till and in the API.')}
      />
    </Page>
  );
}
