/** The tree of categories; managers create, rename and delete. */
import { Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import type { Column } from '../parts/data-table.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';
import { flat } from './tree.ts';

type Category = ReturnType<typeof flat>[number];

const indentPx = 20;

const columns: Column<Category>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, depth }) => (
      <Text size="sm" fw={depth === 0 ? 600 : 400} pl={depth * indentPx}>
        {name}
      </Text>
    ),
  },
  { id: 'products', header: 'Products', align: 'right', cell: ({ total_product_count }) => total_product_count },
];
const operations = { create: 'createCategory', update: 'updateCategory', remove: 'deleteCategory' } as const;
const rowsOf = ({ categories }: { categories: Schemas['Category'][] }) => flat(categories);

export default function Categories() {
  const found = useRead('listCategories', { query: { all: true } });
  const all = rowsOf(found.data ?? { categories: [] });
  const above = (category: Category | undefined) =>
    all.filter(({ id }) => id !== category?.id).map(({ id, full_name }) => ({ value: String(id), label: full_name }));
  return (
    <Page title="Categories" about="Programs see those that have an active product.">
      <Records
        noun="category"
        member="category"
        found={found}
        rowsOf={rowsOf}
        columns={columns}
        fieldsOf={(category) => [
          { path: 'name', label: 'Name', kind: 'text', required: true },
          { path: 'parent_id', label: 'Below', kind: 'record', choices: above(category) },
        ]}
        operations={operations}
        changes={['listCategories', 'listProducts']}
        removal={{ action: 'Delete', about: 'Its products stay and lose it.' }}
        empty="A category groups products here, at the till and in the API."
      />
    </Page>
  );
}
