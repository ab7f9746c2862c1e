/** Creates or changes a product. */
import { Alert, Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { ApiProblem } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { MoneyField } from '../parts/money-field.tsx';

type Product = Schemas['Product'];

interface ProductFormProps {
  product?: Product;
  onClose: () => void;
  onSaved?: (product: Product) => void;
}

export function ProductForm({ product, onClose, onSaved }: ProductFormProps) {
  const [opened] = useState({
    name: product?.name ?? '',
    sku: product?.sku ?? '',
    barcode: product?.barcode ?? '',
    price: product?.price ?? '',
    active: product?.active ?? true,
  });
  const [fields, setFields] = useState(opened);
  const [threshold, setThreshold] = useState<number | string>(product?.low_stock_threshold ?? '');
  const saved = {
    changes: ['listProducts', 'getProduct', 'listLowStock'] as const,
    done: 'The product is saved',
    quiet: true,
  };
  const onDone = ({ product: now }: { product?: Product }) => {
    onClose();
    if (now) onSaved?.(now);
  };
  const create = useWrite('createProduct', { ...saved, changes: [...saved.changes], onDone });
  const update = useWrite('updateProduct', { ...saved, changes: [...saved.changes], onDone });
  const error = create.error ?? update.error;
  const errorOf = (name: string) => (error instanceof ApiProblem ? error.fields[name]?.join(', ') : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...fields, ...(threshold !== '' && { low_stock_threshold: Number(threshold) }) };
    // Only what was changed here, so that another tab's change stays.
    if (product)
      update.mutate({
        params: { id: product.id },
        body: { product: changesOf({ ...opened, low_stock_threshold: product.low_stock_threshold }, body) },
      });
    else create.mutate({ body: { product: body } });
  };
  const text = (name: 'name' | 'sku' | 'barcode') => ({
    value: fields[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Dialog onClose={onClose} title={product ? `Change ${product.name}` : 'New product'}>
      <form onSubmit={submit}>
        <Stack>
          {error && <Alert color="red">{error.message}</Alert>}
          <TextInput label="Name" required data-autofocus {...text('name')} />
          <Group grow align="flex-start">
            <TextInput label="Sku" {...text('sku')} />
            <TextInput label="Barcode" {...text('barcode')} />
          </Group>
          <Group grow align="flex-start">
            <MoneyField
              label="Price"
              value={fields.price}
              error={errorOf('price')}
              onText={(price) => setFields((before) => ({ ...before, price }))}
            />
            <NumberInput label="Low stock at" min={0} value={threshold} onChange={setThreshold} />
          </Group>
          <Switch
            label="Active"
            description="Inactive products cannot be sold"
            checked={fields.active}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setFields((before) => ({ ...before, active: checked }));
            }}
          />
          <FormButtons onCancel={onClose} busy={create.isPending || update.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The fields that differ from what the form showed when it was opened. */
function changesOf<Fields extends object>(opened: Fields, now: Fields): Partial<Fields> {
  const changed = Object.entries(now).filter(([name, value]) => value !== (opened as Record<string, unknown>)[name]);
  return Object.fromEntries(changed) as Partial<Fields>;
}
