/** Records one stock adjustment of a product. */
import { NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useLocations } from './use-locations.ts';

type Kind = 'receive' | 'inventory' | 'count' | 'spoilage' | 'damage' | 'reweigh' | 'moisture_loss';

const kinds: { value: Kind; label: string }[] = [
  { value: 'receive', label: 'Received' },
  { value: 'inventory', label: 'Counted: this is what is there' },
  { value: 'spoilage', label: 'Spoilage' },
  { value: 'damage', label: 'Damage' },
  { value: 'count', label: 'Correction' },
  { value: 'reweigh', label: 'Reweighed' },
  { value: 'moisture_loss', label: 'Moisture loss' },
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
    done: ({ stock_adjustment }) => `Stock is now ${stock_adjustment?.quantity_after}`,
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
      title={`Adjust the stock of ${product.name}`}
      onClose={onClose}
      onSubmit={submit}
      busy={write.isPending}
      error={write.error}
      disabled={quantity === ''}
      action="Record"
    >
      <Text size="sm">There are {product.current_stock} now.</Text>
      <Select
        label="What happened"
        data={kinds}
        value={kind}
        onChange={(value) => setKind((value ?? 'receive') as Kind)}
        allowDeselect={false}
      />
      <NumberInput
        label={kind === 'inventory' ? 'Counted quantity' : 'Quantity'}
        description={losses.has(kind) ? 'How many are lost' : kind === 'inventory' ? undefined : 'Negative takes away'}
        required
        decimalScale={3}
        value={quantity}
        onChange={setQuantity}
        data-autofocus
      />
      {locations.length > 0 && (
        <Select label="Where" placeholder="No location" clearable data={locations} value={location} onChange={setLocation} />
      )}
      <TextInput label="Reason" value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </FormDialog>
  );
}
