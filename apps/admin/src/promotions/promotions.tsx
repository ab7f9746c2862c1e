import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { flat } from '../categories/tree.ts';
import { Confirm } from '../parts/confirm.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { shownMoney } from '../parts/money.ts';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { PromotionForm } from './promotion-form.tsx';

type Promotion = Schemas['Promotion'];

export default function Promotions() {
  const found = useRead('listPromotions', {});
  const mayWrite = useMay('manager');
  const { currency } = useStore();
  const [edited, setEdited] = useState<Promotion | 'new'>();
  const [ended, setEnded] = useState<Promotion>();
  const remove = useWrite('deletePromotion', {
    changes: ['listPromotions', 'listProducts'],
    done: 'The promotion is deleted',
    quiet: true,
    onDone: () => setEnded(undefined),
  });
  const categories = useRead('listCategories', { query: { all: true } });
  const names = useMemo(
    () => new Map(flat(categories.data?.categories ?? []).map(({ id, full_name }) => [id, full_name])),
    [categories.data],
  );
  const columns = useMemo(
    () => columnsOf(currency, names, mayWrite ? { onChange: setEdited, onDelete: setEnded } : undefined),
    [currency, names, mayWrite],
  );
  return (
    <Page
      title="Promotions"
      about="Price reductions on products or on a category, for a time."
      actions={mayWrite && <Button onClick={() => setEdited('new')}>New promotion</Button>}
    >
      <Section>
        <Shown of={found}>
          {({ promotions }) => (
            <DataTable
              label="Promotions"
              columns={columns}
              rows={promotions}
              rowId={({ id }) => id}
              empty={
                <Empty title="No promotion yet">A promotion lowers prices everywhere at once: here, at the till and in the API.</Empty>
              }
            />
          )}
        </Shown>
      </Section>
      {edited && <PromotionForm promotion={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      <Confirm
        opened={ended !== undefined}
        title={`Delete ${ended?.name ?? 'the promotion'}?`}
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        onClose={() => setEnded(undefined)}
        onConfirm={() => ended && remove.mutate({ params: { id: ended.id } })}
      >
        Prices return to what they were.
      </Confirm>
    </Page>
  );
}

function reductionText({ discount_type, value }: Promotion, currency: string): string {
  if (discount_type === 'percentage') return `${Number(value)} % off`;
  return discount_type === 'fixed_amount' ? `${shownMoney(value, currency)} off` : `for ${shownMoney(value, currency)}`;
}

function columnsOf(
  currency: string,
  categoryNames: Map<number, string>,
  actions: Record<'onChange' | 'onDelete', (promotion: Promotion) => void> | undefined,
): Column<Promotion>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'value', header: 'Reduction', cell: (one) => reductionText(one, currency) },
    {
      id: 'on',
      header: 'On',
      from: 'sm',
      cell: ({ category_id: id, product_ids: ids }) =>
        id === null ? (ids.length === 1 ? '1 product' : `${ids.length} products`) : (categoryNames.get(id) ?? 'A category'),
    },
    { id: 'from', header: 'From', from: 'md', cell: (one) => <Time at={one.starts_at} /> },
    { id: 'to', header: 'Until', from: 'sm', cell: (one) => (one.ends_at ? <Time at={one.ends_at} /> : 'Open') },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      cell: (one) =>
        actions ? (
          <Group justify="flex-end" gap="xs" wrap="nowrap">
            <Button size="xs" variant="default" onClick={() => actions.onChange(one)} aria-label={`Change ${one.name}`}>
              Change
            </Button>
            <Button size="xs" variant="default" onClick={() => actions.onDelete(one)} aria-label={`Delete ${one.name}`}>
              Delete
            </Button>
          </Group>
        ) : (
          '–'
        ),
    },
  ];
}
