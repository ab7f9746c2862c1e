/** Records one stock adjustment of a product. */

import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useLocations } from './use-locations.ts';

type Kind = 'receive' | 'inventory' | 'count' | 'spoilage' | 'damage' | 'reweigh' | 'moisture_loss';

const kinds: { value: Kind; label: string }[] = [
  { value: 'receive', label: t('Received') },
  { value: 'inventory', label: t('Counted: this is what is there') },
  { value: 'spoilage', label: t('Spoilage') },
  { value: 'damage', label: t('Damage') },
  { value: 'count', label: t('Correction') },
  { value: 'reweigh', label: t('Reweighed') },
  { value: 'moisture_loss', label: t('Moisture loss') },
];
/** These take goods away: staff enter how many, the ledger gets the minus. */
const losses = new Set<Kind>(['spoilage', 'damage', 'moisture_loss']);

export function AdjustStock({
  product,
  onClose,
}: {
  product: Pick<Schemas['Product'], 'id' | 'name' | 'current_stock'>;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<Kind>('receive');
  const [quantity, setQuantity] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [location, setLocation] = useState<string | null>(null);
  const locations = useLocations();
  const write = useWrite('createStockAdjustment', {
    changes: ['listStockAdjustments', 'getProduct', 'listProducts', 'listLowStock'],
    done: ({ stock_adjustment }) => t('Stock is now {quantityAfter}', { quantityAfter: numberText(stock_adjustment!.quantity_after) }),
    onDone: onClose,
    quiet: true,
  });
  const submit = () => {
    const amount = losses.has(kind) ? -Math.abs(Number(quantity)) : Number(quantity);
    const body = kind === 'inventory' ? { counted_quantity: Number(quantity) } : { quantity_change: amount };
    const said = { ...(reason.trim() && { reason: reason.trim() }), ...(location !== null && { warehouse_location_id: Number(location) }) };
    write.mutate({ body: { product_id: product.id, adjustment_type: kind, ...body, ...said } });
  };
  return (
    <FormDialog
      title={t('Adjust the stock of {name}', { name: product.name })}
      onClose={onClose}
      onSubmit={submit}
      sent={write}
      isDirty={kind !== 'receive' || location !== null}
      disabled={quantity === ''}
      action={t('Record')}
    >
      <Text size="sm">{t('There are {currentStock} now.', { currentStock: numberText(product.current_stock) })}</Text>
      <Select label={t('What happened')} data={kinds} value={kind} onChange={(value) => setKind((value ?? 'receive') as Kind)} />
      <QuantityField
        label={kind === 'inventory' ? t('Counted quantity') : t('Quantity')}
        description={losses.has(kind) ? t('How many are lost') : kind === 'inventory' ? undefined : t('Negative takes away')}
        required
        signed
        value={quantity}
        onQuantity={setQuantity}
        data-autofocus
      />
      {locations.length > 0 && (
        <Select label={t('Where')} placeholder={t('No location')} clearable data={locations} value={location} onChange={setLocation} />
      )}
      <TextField label={t('Reason')} value={reason} onText={setReason} />
    </FormDialog>
  );
}
