import { Alert, Group, Input, Pill, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useRead, useWrite } from '../api/query.ts';
import { flat } from '../categories/tree.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';

type Kind = 'percentage' | 'fixed_amount' | 'fixed_price';

const kinds: { value: Kind; label: string }[] = [
  { value: 'percentage', label: 'Percent off' },
  { value: 'fixed_amount', label: 'Amount off' },
  { value: 'fixed_price', label: 'New price' },
];

/** What is reduced: some products, or all of a category. */
const scopes = [
  { value: 'products', label: 'Products' },
  { value: 'category', label: 'A category' },
];

/** Without an offset a time is in the store's time zone, which is what staff mean. */
export function PromotionForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('percentage');
  const [value, setValue] = useState('');
  const [startsAt, setStartsAt] = useState('');
  const [endsAt, setEndsAt] = useState('');
  const [scope, setScope] = useState('products');
  const [products, setProducts] = useState<Product[]>([]);
  const [category, setCategory] = useState<string | null>(null);
  const create = useWrite('createPromotion', {
    changes: ['listPromotions', 'listProducts', 'getProduct'],
    done: 'The promotion is saved',
    quiet: true,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const times = { ...(startsAt && { starts_at: startsAt }), ...(endsAt && { ends_at: endsAt }) };
    const on = scope === 'category' ? { category_id: Number(category) } : { product_ids: products.map(({ id }) => id) };
    create.mutate({ body: { promotion: { name, discount_type: kind, value, ...on, ...times } } });
  };
  return (
    <Dialog onClose={onClose} title="New promotion">
      <form onSubmit={submit}>
        <Stack>
          {create.error && <Alert color="red">{create.error.message}</Alert>}
          <TextInput label="Name" required data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Group grow align="flex-start">
            <Select
              label="Reduction"
              data={kinds}
              value={kind}
              allowDeselect={false}
              onChange={(next) => setKind((next ?? 'percentage') as Kind)}
            />
            <TextInput
              label={kind === 'percentage' ? 'Percent' : 'Amount'}
              required
              inputMode="decimal"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          </Group>
          <Group grow align="flex-start">
            <TimeField label="From" empty="Empty: at once" value={startsAt} onChange={setStartsAt} />
            <TimeField label="Until" empty="Empty: until deleted" value={endsAt} onChange={setEndsAt} />
          </Group>
          <Input.Wrapper label="On" labelElement="div">
            <SegmentedControl aria-label="On" fullWidth data={scopes} value={scope} onChange={setScope} />
          </Input.Wrapper>
          {scope === 'category' ? (
            <CategoryField value={category} onChange={setCategory} />
          ) : (
            <ProductsField products={products} onChange={setProducts} />
          )}
          <FormButtons
            onCancel={onClose}
            busy={create.isPending}
            disabled={scope === 'category' ? category === null : products.length === 0}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

interface TimeFieldProps {
  label: string;
  empty: string;
  value: string;
  onChange: (value: string) => void;
}

function TimeField({ label, empty, value, onChange }: TimeFieldProps) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      description={empty}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function CategoryField({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { data } = useRead('listCategories', { query: { all: true } });
  return (
    <Select
      label="Category"
      description="With its subcategories, and what is added to it later"
      placeholder="Choose one"
      searchable
      required
      nothingFoundMessage="No category has this name"
      data={flat(data?.categories ?? []).map(({ id, full_name }) => ({ value: String(id), label: full_name }))}
      value={value}
      onChange={onChange}
    />
  );
}

function ProductsField({ products, onChange }: { products: Product[]; onChange: (products: Product[]) => void }) {
  const without = (id: number) => products.filter((one) => one.id !== id);
  return (
    <>
      <ProductSearch label="Products" inDialog onFound={(product) => onChange([...without(product.id), product])} />
      {products.length > 0 && (
        <Pill.Group>
          {products.map(({ id, name }) => (
            <Pill
              key={id}
              withRemoveButton
              onRemove={() => onChange(without(id))}
              removeButtonProps={{ 'aria-label': `Remove ${name}`, tabIndex: 0, 'aria-hidden': false }}
            >
              {name}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </>
  );
}
