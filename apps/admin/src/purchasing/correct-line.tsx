/** Corrects a line: how much of it was received in all, and which product it is. */

import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';
import { include } from './order-details.tsx';

interface CorrectLineProps {
  orderId: number;
  line: Schemas['PurchaseOrderLineItem'];
  onClose: () => void;
}

export function CorrectLine({ orderId, line, onClose }: CorrectLineProps) {
  const [received, setReceived] = useState<number | string>(line.quantity_received);
  const [product, setProduct] = useState<Pick<Product, 'id' | 'name'>>();
  const correct = useWrite('updatePurchaseOrderLine', {
    changes: ['getPurchaseOrder', 'listPurchaseOrders', 'listStockAdjustments', 'listProducts', 'listLowStock'],
    quiet: true,
    done: t('The line is corrected'),
    onDone: onClose,
  });
  const line_item = {
    ...(received !== line.quantity_received && { quantity_received: Number(received) }),
    ...(product && { product_id: product.id }),
  };
  return (
    <FormDialog
      title={t('Correct {productName}', { productName: line.product_name })}
      onClose={onClose}
      onSubmit={() => correct.mutate({ params: { id: orderId, line_id: line.id }, query: { include }, body: { line_item } })}
      busy={correct.isPending}
      error={correct.error}
      isDirty={product !== undefined}
      disabled={received === '' || Object.keys(line_item).length === 0}
    >
      <NumberInput
        label={t('Received in all')}
        description={t('Stock moves by the difference')}
        min={0}
        decimalScale={3}
        data-autofocus
        value={received}
        onChange={setReceived}
      />
      <ProductSearch label={t('It is another product')} inDialog onFound={setProduct} />
      {product && <Text size="sm">{t('What was received of it moves to {name}.', { name: product.name })}</Text>}
    </FormDialog>
  );
}
