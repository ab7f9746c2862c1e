import { Group, Input, Pill, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { flat } from '../categories/tree.ts';
import { t } from '../language/t.ts';
import { DecimalField } from '../parts/decimal-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { SearchSelect } from '../parts/search-select.tsx';
import { TextField } from '../parts/text-field.tsx';

type Kind = 'percentage' | 'fixed_amount' | 'fixed_price';

const kinds: { value: Kind; label: string }[] = [
  { value: 'percentage', label: t('Percent off') },
  { value: 'fixed_amount', label: t('Amount off') },
  { value: 'fixed_price', label: t('New price') },
];

/** What is reduced: some products, or all of a category. */
const scopes = [
  { value: 'products', label: t('Products') },
  { value: 'category', label: t('A category') },
];

interface PromotionFormProps {
  promotion?: Schemas['Promotion'];
  onClose: () => void;
}

/** Without an offset a time is in the store's time zone, which is what staff mean. */
export function PromotionForm({ promotion, onClose }: PromotionFormProps) {
  const { timeZone } = useStore();
  const fieldsOf = (one: Schemas['Promotion'] | undefined) => ({
    name: one?.name ?? '',
    // One field: a value means nothing without its kind.
    reduction: { discount_type: (one?.discount_type ?? 'percentage') as Kind, value: one?.value ?? '' },
    starts_at: localTime(one?.starts_at, timeZone),
    ends_at: localTime(one?.ends_at, timeZone),
  });
  const read = async () => fieldsOf((await call('listPromotions', {})).promotions.find(({ id }) => id === promotion?.id) ?? promotion);
  const form = useRecordForm(fieldsOf(promotion), promotion && { path: '', shown: promotion, read });
  const { name, reduction } = form.now;
  const { discount_type: kind, value } = reduction;
  const onValue = (text: string) => form.set({ reduction: { ...reduction, value: text } });
  const [scope, setScope] = useState('products');
  const [products, setProducts] = useState<Product[]>([]);
  const [category, setCategory] = useState<string | null>(null);
  const saved = {
    changes: ['listPromotions', 'listProducts', 'getProduct'] as const,
    done: t('The promotion is saved'),
    quiet: true,
    onDone: onClose,
  };
  const create = useWrite('createPromotion', saved);
  const update = useWrite('updatePromotion', saved);
  const submit = () => {
    // An empty time is none.
    const times = Object.fromEntries(
      (['starts_at', 'ends_at'] as const).flatMap((at) => (at in form.changes ? [[at, form.changes[at] || null]] : [])),
    ) as { starts_at?: string; ends_at?: string };
    if (promotion)
      return void form.save(({ reduction: reduced, starts_at: _from, ends_at: _to, ...named }) =>
        update.mutateAsync({ params: { id: promotion.id }, body: { promotion: { ...named, ...reduced, ...times } } }),
      );
    const on = scope === 'category' ? { category_id: Number(category) } : { product_ids: products.map(({ id }) => id) };
    create.mutate({ body: { promotion: { name, ...reduction, ...on, ...times } } });
  };
  const time = (name: 'starts_at' | 'ends_at') => ({
    type: 'datetime-local',
    value: form.now[name],
    onText: (at: string) => form.set({ [name]: at }),
  });
  const isOnNothing = scope === 'category' ? category === null : products.length === 0;
  return (
    <FormDialog
      title={promotion ? t('Change {name}', { name: promotion.name }) : t('New promotion')}
      onClose={onClose}
      onSubmit={submit}
      sent={{ isPending: create.isPending || update.isPending, error: create.error ?? update.error }}
      form={form}
      isDirty={products.length > 0}
      disabled={!promotion && isOnNothing}
    >
      <TextField label={t('Name')} required data-autofocus value={name} onText={(text) => form.set({ name: text })} />
      <Group grow align="flex-start">
        <Select
          label={t('Reduction')}
          data={kinds}
          value={kind}
          onChange={(next) => form.set({ reduction: { discount_type: (next ?? 'percentage') as Kind, value } })}
        />
        {kind === 'percentage' ? (
          <DecimalField label={t('Percent')} required value={value} onText={onValue} />
        ) : (
          <MoneyField label={t('Amount')} required value={value} onText={onValue} />
        )}
      </Group>
      <Group grow align="flex-start">
        <TextField label={t('From')} description={t('Empty: at once')} {...time('starts_at')} />
        <TextField label={t('Until')} description={t('Empty: until deleted')} {...time('ends_at')} />
      </Group>
      {!promotion && (
        <>
          <Input.Wrapper label={t('On|what it reduces')} labelElement="div">
            <SegmentedControl aria-label={t('On|what it reduces')} fullWidth data={scopes} value={scope} onChange={setScope} />
          </Input.Wrapper>
          {scope === 'category' ? (
            <CategoryField value={category} onChange={setCategory} />
          ) : (
            <ProductsField products={products} onChange={setProducts} />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** As a field of the browser takes it. */
const localTime = (at: string | null | undefined, timeZone: string): string =>
  at ? new Date(at).toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(' ', 'T') : '';

function CategoryField({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { data } = useRead('listCategories', { query: { all: true } });
  return (
    <SearchSelect
      label={t('Category')}
      description={t('With its subcategories, and what is added to it later')}
      placeholder={t('Choose one')}
      required
      nothingFoundMessage={t('No category has this name')}
      data={flat(data?.categories ?? []).map(({ id, full_name }) => ({ value: String(id), label: full_name }))}
      value={value}
      onChange={onChange}
    />
  );
}

interface ProductsFieldProps {
  products: Product[];
  onChange: (next: (before: Product[]) => Product[]) => void;
}

function ProductsField({ products, onChange }: ProductsFieldProps) {
  const without = (all: Product[], id: number) => all.filter((one) => one.id !== id);
  return (
    <>
      <ProductSearch label={t('Products')} inDialog onFound={(product) => onChange((all) => [...without(all, product.id), product])} />
      {products.length > 0 && (
        <Pill.Group>
          {products.map(({ id, name }) => (
            <Pill
              key={id}
              withRemoveButton
              onRemove={() => onChange((all) => without(all, id))}
              removeButtonProps={{ 'aria-label': t('Remove {name}', { name }), tabIndex: 0, 'aria-hidden': false }}
            >
              {name}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </>
  );
}
