import { Alert, Group, Modal, Pill, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { FormButtons } from '../parts/form-buttons.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';

type Kind = 'percentage' | 'fixed_amount' | 'fixed_price';

const kinds: { value: Kind; label: string }[] = [
  { value: 'percentage', label: 'Percent off' },
  { value: 'fixed_amount', label: 'Amount off' },
  { value: 'fixed_price', label: 'New price' },
];

/** Without an offset a time is in the store's time zone, which is what staff mean. */
export function PromotionForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('percentage');
  const [value, setValue] = useState('');
  const [endsAt, setEndsAt] = useState('');
  const [products, setProducts] = useState<Product[]>([]);
  const create = useWrite('createPromotion', {
    changes: ['listPromotions', 'listProducts'],
    done: 'The promotion is saved',
    quiet: true,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const ends = endsAt === '' ? {} : { ends_at: endsAt };
    create.mutate({ body: { promotion: { name, discount_type: kind, value, product_ids: products.map(({ id }) => id), ...ends } } });
  };
  return (
    <Modal opened onClose={onClose} title="New promotion">
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
          <TextInput
            label="Until"
            type="datetime-local"
            description="Empty: until it is deleted"
            value={endsAt}
            onChange={(event) => setEndsAt(event.currentTarget.value)}
          />
          <ProductSearch
            label="Products"
            inDialog
            onFound={(product) => setProducts((all) => (all.some(({ id }) => id === product.id) ? all : [...all, product]))}
          />
          <Pill.Group>
            {products.map((product) => (
              <Pill
                key={product.id}
                withRemoveButton
                onRemove={() => setProducts((all) => all.filter(({ id }) => id !== product.id))}
                removeButtonProps={{ 'aria-label': `Remove ${product.name}` }}
              >
                {product.name}
              </Pill>
            ))}
          </Pill.Group>
          <FormButtons onCancel={onClose} busy={create.isPending} disabled={products.length === 0} />
        </Stack>
      </form>
    </Modal>
  );
}
