import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { flat } from '../categories/tree.ts';
import { counted, numberText, t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { shownMoney } from '../parts/money.ts';
import { Page, Section } from '../parts/page.tsx';
import { actionsColumn } from '../parts/records.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { PromotionForm } from './promotion-form.tsx';

type Promotion = Schemas['Promotion'];

export default function Promotions() {
  const found = useRead('listPromotions', {});
  const mayWrite = useMay('manager');
  const { currency, isKnown } = useStore();
  const [edited, setEdited] = useState<Promotion | 'new'>();
  const [ended, setEnded] = useState<Promotion>();
  const remove = useWrite('deletePromotion', {
    changes: ['listPromotions', 'listProducts'],
    done: t('The promotion is deleted'),
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
      title={t('Promotions')}
      about={t('Price reductions on products or on a category, for a time.')}
      actions={mayWrite && <Button onClick={() => setEdited('new')}>{t('New promotion')}</Button>}
    >
      <Section>
        <ReadTable
          label={t('Promotions')}
          of={found}
          rows={(data) => data.promotions}
          columns={columns}
          empty={
            <Empty title={t('No promotion yet')}>
              {t('A promotion lowers prices everywhere at once: here, at the till and in the API.')}
            </Empty>
          }
        />
      </Section>
      {/* Its times are those of the store's time zone. */}
      {edited && isKnown && <PromotionForm promotion={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      <Confirm
        opened={ended !== undefined}
        title={t('Delete {name}?', { name: ended?.name })}
        action={t('Delete')}
        sent={remove}
        onClose={() => setEnded(undefined)}
        onConfirm={() => ended && remove.mutate({ params: { id: ended.id } })}
      >
        {t('Prices return to what they were.')}
      </Confirm>
    </Page>
  );
}

function reductionText({ discount_type, value }: Promotion, currency: string): string {
  if (discount_type === 'percentage') return t('{value} % off', { value: numberText(Number(value)) });
  return discount_type === 'fixed_amount'
    ? t('{amount} off', { amount: shownMoney(value, currency) })
    : t('for {amount}', { amount: shownMoney(value, currency) });
}

function columnsOf(
  currency: string,
  categoryNames: Map<number, string>,
  actions: Record<'onChange' | 'onDelete', (promotion: Promotion) => void> | undefined,
): Column<Promotion>[] {
  return [
    {
      id: 'name',
      header: t('Name'),
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'value', header: t('Reduction'), cell: (one) => reductionText(one, currency) },
    {
      id: 'on',
      header: t('On|what it reduces'),
      from: 'sm',
      cell: ({ category_id: id, product_ids: ids }) =>
        id === null ? counted(ids.length, '{count} product', '{count} products') : (categoryNames.get(id) ?? t('A category')),
    },
    { id: 'from', header: t('From'), from: 'md', cell: (one) => <Time at={one.starts_at} /> },
    { id: 'to', header: t('Until'), from: 'sm', cell: (one) => (one.ends_at ? <Time at={one.ends_at} /> : t('Open|without an end')) },
    ...(actions ? [actionsColumn<Promotion>(t('Delete'), actions.onChange, actions.onDelete)] : []),
  ];
}
