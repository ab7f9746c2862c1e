/** Creates or changes a product. */

import { Alert, Group, MultiSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { call, type Input } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { faultOf } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { flat } from '../categories/tree.ts';
import { numberText, t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { holdsCode } from '../parts/scanner.ts';
import { SearchSelect } from '../parts/search-select.tsx';

type Product = Schemas['Product'];

interface ProductFormProps {
  product?: Product;
  /** A new one is a variation of this product. */
  parent?: Product;
  onClose: () => void;
  onSaved?: (product: Product) => void;
}

const fieldsOf = (product: Product | undefined) => ({
  name: product?.name ?? '',
  sku: product?.sku ?? '',
  barcode: product?.barcode ?? '',
  price: product?.price ?? '',
  cost: product?.cost ?? '',
  brand: product?.brand ?? null,
  category_ids: product?.categories.map(({ id }) => id) ?? [],
  description: product?.description ?? '',
  primary_image_url: product?.primary_image_url ?? '',
  low_stock_threshold: (product?.low_stock_threshold ?? null) as number | string | null,
  active: product?.active ?? true,
});

type Fields = ReturnType<typeof fieldsOf>;

/** Products show their brand by its name, and are given it by its id; a null empties a field. */
function bodyOf(
  { brand, barcode, ...some }: Partial<Fields>,
  brands: Schemas['Brand'][],
): Partial<Input<'createProduct'>['body']['product']> {
  const brand_id = brand === undefined ? {} : { brand_id: brands.find(({ name }) => name === brand)?.id ?? null };
  // A blank that was pasted along is in no scan.
  const trimmed = barcode === undefined ? {} : { barcode: barcode.trim() };
  return { ...some, ...brand_id, ...trimmed } as Partial<Input<'createProduct'>['body']['product']>;
}

const changes = ['listProducts', 'getProduct', 'listLowStock'] as const;

export function ProductForm({ product, parent, onClose, onSaved }: ProductFormProps) {
  const params = { id: product?.id ?? 0 };
  const read = async () => fieldsOf((await call('getProduct', { params })).product);
  const form = useRecordForm(fieldsOf(product), product && { path: `/products/${product.id}`, shown: product, read });
  const onDone = ({ product: now }: { product?: Product }, _input: unknown, isShown: boolean) => {
    onClose();
    if (now && isShown) onSaved?.(now);
  };
  const saved = { changes, done: t('The product is saved'), quiet: true, onDone };
  const create = useWrite('createProduct', saved);
  const update = useWrite('updateProduct', saved);
  const error = create.error ?? update.error;
  const brands = useRead('listBrands', {}).data?.brands ?? [];
  const submit = () => {
    if (product) void form.save((some, version) => update.mutateAsync({ params, body: { product: bodyOf(some, brands) }, version }));
    else
      create.mutate({
        body: { product: { ...bodyOf(form.changes, brands), name: form.now.name, ...(parent && { parent_id: parent.id }) } },
      });
  };
  const text = (name: 'name' | 'sku' | 'barcode' | 'description' | 'primary_image_url') => ({
    value: form.now[name],
    error: faultOf(error, name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => form.set({ [name]: value }),
  });
  const money = (name: 'price' | 'cost') => ({
    value: form.now[name],
    error: faultOf(error, name),
    onText: (value: string) => form.set({ [name]: value }),
  });
  const title = product
    ? t('Change {name}', { name: product.name })
    : parent
      ? t('New variation of {name}', { name: parent.name })
      : t('New product');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      sent={{ isPending: create.isPending || update.isPending, error }}
      form={form}
    >
      {parent && !parent.has_variations && (
        <Alert color="yellow">
          {t(
            '{name} is sold by its variations then: its own codes find nothing at the register, and its own stock of {stock} is not for sale.',
            {
              name: parent.name,
              stock: numberText(parent.current_stock),
            },
          )}
        </Alert>
      )}
      <TextInput label={t('Name')} required data-autofocus {...text('name')} />
      <Group grow align="flex-start">
        <TextInput label={t('Sku')} {...text('sku')} {...holdsCode} />
        <TextInput label={t('Barcode')} {...text('barcode')} {...holdsCode} />
      </Group>
      <Group grow align="flex-start">
        <MoneyField
          label={t('Price')}
          required
          description={product?.has_variations ? t('Each variation is sold at a price of its own') : undefined}
          {...money('price')}
        />
        <MoneyField label={t('Cost')} {...money('cost')} />
      </Group>
      {!parent && (
        <GroupsFields
          categories={form.now.category_ids}
          brand={form.now.brand}
          brands={brands}
          onCategories={(category_ids) => form.set({ category_ids })}
          onBrand={(brand) => form.set({ brand })}
        />
      )}
      <Textarea label={t('Description')} autosize minRows={2} maxRows={8} {...text('description')} />
      <Group grow align="flex-start">
        <TextInput label={t('Image')} type="url" placeholder="https://" {...text('primary_image_url')} />
        <QuantityField
          label={t('Low stock at')}
          value={form.now.low_stock_threshold ?? ''}
          onQuantity={(value) => form.set({ low_stock_threshold: value === '' ? null : value })}
        />
      </Group>
      <Switch
        label={t('Active')}
        description={
          product?.has_variations
            ? t('Its variations are found and sold until each of them is switched off')
            : t('Inactive products are listed under “Inactive too” alone, and the till finds none')
        }
        checked={form.now.active}
        onChange={({ currentTarget: { checked } }) => form.set({ active: checked })}
      />
    </FormDialog>
  );
}

interface GroupsFieldsProps {
  categories: number[];
  brand: string | null;
  brands: Schemas['Brand'][];
  onCategories: (ids: number[]) => void;
  onBrand: (name: string | null) => void;
}

function GroupsFields({ categories, brand, brands, onCategories, onBrand }: GroupsFieldsProps) {
  const tree = useRead('listCategories', { query: { all: true } });
  return (
    <Group grow align="flex-start">
      <MultiSelect
        label={t('Categories')}
        searchable
        // The text that is searched for sends nothing.
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.value !== '' && event.preventDefault()}
        data={flat(tree.data?.categories ?? []).map(({ id, full_name }) => ({ value: String(id), label: full_name }))}
        value={categories.map(String)}
        onChange={(ids) => onCategories(ids.map(Number))}
      />
      <SearchSelect label={t('Brand')} clearable data={brands.map(({ name }) => name)} value={brand} onChange={onBrand} />
    </Group>
  );
}
