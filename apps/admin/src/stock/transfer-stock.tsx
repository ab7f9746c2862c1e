/** Moves stock of one product between two locations. */

import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useLocations } from './use-locations.ts';

export function TransferStock({ onClose }: { onClose: () => void }) {
  const locations = useLocations();
  const [product, setProduct] = useState<Product>();
  const [quantity, setQuantity] = useState<number | string>('');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [notes, setNotes] = useState('');
  const transfer = useWrite('createStockTransfer', {
    changes: ['listStockAdjustments', 'getProduct'],
    quiet: true,
    done: t('The stock is moved'),
    onDone: onClose,
  });
  const submit = () => {
    const places = { from_location_id: Number(from), to_location_id: Number(to) };
    const said = notes.trim() && { notes: notes.trim() };
    transfer.mutate({ body: { stock_transfer: { product_id: product!.id, quantity: Number(quantity), ...places, ...said } } });
  };
  return (
    <FormDialog
      title={t('Move stock')}
      action={t('Move')}
      onClose={onClose}
      onSubmit={submit}
      sent={transfer}
      isDirty={product !== undefined || from !== null || to !== null}
      disabled={!product || quantity === '' || quantity === 0 || from === null || to === null}
    >
      <ProductSearch label={t('Product')} inDialog autoFocus onFound={setProduct} />
      {product && (
        <Text size="sm">
          <b>{product.name}</b>, {t('{currentStock} in stock', { currentStock: numberText(product.current_stock) })}
        </Text>
      )}
      <QuantityField label={t('Quantity')} required value={quantity} onQuantity={setQuantity} />
      <Group grow align="flex-start">
        <Select label={t('From')} required data={locations} value={from} onChange={setFrom} />
        <Select label={t('To')} required data={locations} value={to} onChange={setTo} />
      </Group>
      <TextField label={t('Notes')} value={notes} onText={setNotes} />
    </FormDialog>
  );
}
