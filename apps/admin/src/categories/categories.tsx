/** The tree of categories; managers create, rename and delete. */
import { ActionIcon, Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';
import { flat } from './tree.ts';

type Category = Schemas['Category'];

const changes = ['listCategories', 'listProducts'] as const;
const indentPx = 20;

export default function Categories() {
  const found = useRead('listCategories', { query: { all: true } });
  const mayWrite = useMay('manager');
  const [edited, setEdited] = useState<Category | 'new'>();
  const [removed, setRemoved] = useState<Category>();
  const remove = useWrite('deleteCategory', {
    changes: [...changes],
    done: 'The category is deleted',
    quiet: true,
    onDone: () => setRemoved(undefined),
  });
  const rows = flat(found.data?.categories ?? []);
  return (
    <Page
      title="Categories"
      about="Programs see those that have an active product."
      actions={mayWrite && <Button onClick={() => setEdited('new')}>New category</Button>}
    >
      <Section>
        <Shown of={found}>
          {() =>
            rows.length === 0 ? (
              <Empty title="No category yet">A category groups products here, at the till and in the API.</Empty>
            ) : (
              <TableScroll label="Categories">
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Name</Table.Th>
                      <Table.Th ta="right">Products</Table.Th>
                      {mayWrite && <Table.Th ta="right">Actions</Table.Th>}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((category) => (
                      <Table.Tr key={category.id}>
                        <Table.Td>
                          <Text size="sm" fw={category.depth === 0 ? 600 : 400} pl={category.depth * indentPx}>
                            {category.name}
                          </Text>
                        </Table.Td>
                        <Table.Td ta="right" className="numeric">
                          {category.total_product_count}
                        </Table.Td>
                        {mayWrite && (
                          <Table.Td>
                            <Group gap={4} justify="flex-end" wrap="nowrap">
                              <ActionIcon
                                variant="subtle"
                                color="gray"
                                aria-label={`Change ${category.name}`}
                                onClick={() => setEdited(category)}
                              >
                                <Pencil1Icon />
                              </ActionIcon>
                              <ActionIcon
                                variant="subtle"
                                color="gray"
                                aria-label={`Delete ${category.name}`}
                                onClick={() => setRemoved(category)}
                              >
                                <TrashIcon />
                              </ActionIcon>
                            </Group>
                          </Table.Td>
                        )}
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
            )
          }
        </Shown>
      </Section>
      {edited && <CategoryForm category={edited === 'new' ? undefined : edited} all={rows} onClose={() => setEdited(undefined)} />}
      <Confirm
        opened={removed !== undefined}
        title={`Delete ${removed?.name ?? 'the category'}?`}
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        onClose={() => {
          remove.reset();
          setRemoved(undefined);
        }}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
      >
        Its products stay and lose it.
      </Confirm>
    </Page>
  );
}

function CategoryForm({ category, all, onClose }: { category: Category | undefined; all: Category[]; onClose: () => void }) {
  const [name, setName] = useState(category?.name ?? '');
  const [parent, setParent] = useState(category?.parent_id ? String(category.parent_id) : null);
  const options = { changes: [...changes], done: 'The category is saved', quiet: true, onDone: onClose };
  const create = useWrite('createCategory', options);
  const update = useWrite('updateCategory', options);
  const error = create.error ?? update.error;
  const submit = () => {
    const body = { name, ...(parent !== null && { parent_id: Number(parent) }) };
    if (category) update.mutate({ params: { id: category.id }, body: { category: body } });
    else create.mutate({ body: { category: body } });
  };
  return (
    <FormDialog
      title={category ? `Change ${category.name}` : 'New category'}
      onClose={onClose}
      onSubmit={submit}
      busy={create.isPending || update.isPending}
      error={error}
    >
      <TextInput label="Name" required data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Select
        label="Below"
        placeholder="At the top"
        clearable
        searchable
        data={all.filter(({ id }) => id !== category?.id).map(({ id, full_name }) => ({ value: String(id), label: full_name }))}
        value={parent}
        onChange={setParent}
      />
    </FormDialog>
  );
}
