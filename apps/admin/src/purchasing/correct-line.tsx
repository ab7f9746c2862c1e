/** Corrects a line: how much of it was received in all, and which product it is. */

import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { include, ofOrder } from './order-details.tsx';

type Line = Schemas['PurchaseOrderLineItem'];

interface CorrectLineProps {
  order: Schemas['PurchaseOrder'];
  line: Line;
  onClose: () => void;
}

const fieldsOf = ({ quantity_received, product_id }: Line) => ({ quantity_received: quantity_received as number | string, product_id });

export function CorrectLine({ order, line, onClose }: CorrectLineProps) {
  const [product, setProduct] = useState<Pick<Product, 'id' | 'name'>>();
  const form = useRecordForm(
    fieldsOf(line),
    ofOrder(order, ({ line_items }) => fieldsOf(line_items.find(({ id }) => id === line.id)!)),
  );
  const correct = useWrite('updatePurchaseOrderLine', {
    changes: ['getPurchaseOrder', 'listPurchaseOrders', 'listStockAdjustments', 'listProducts', 'listLowStock'],
    quiet: true,
    done: t('The line is corrected'),
    onDone: onClose,
  });
  const submit = () =>
    void form.save((changes, version) => {
      const line_item = changes as Schemas['OrderLineChangeInput'];
      return correct.mutateAsync({ params: { id: order.id, line_id: line.id }, query: { include }, body: { line_item }, version });
    });
  const { quantity_received, product_id } = form.now;
  return (
    <FormDialog
      title={t('Correct {productName}', { productName: line.product_name })}
      onClose={onClose}
      onSubmit={submit}
      sent={correct}
      form={form}
      disabled={quantity_received === '' || !form.isDirty}
    >
      <QuantityField
        label={t('Received in all')}
        description={t('Stock moves by the difference')}
        data-autofocus
        value={quantity_received}
        onQuantity={(quantity) => form.set({ quantity_received: quantity })}
      />
      <ProductSearch
        label={t('It is another product')}
        inDialog
        onFound={(found) => {
          setProduct(found);
          form.set({ product_id: found.id });
        }}
      />
      {product?.id === product_id && <Text size="sm">{t('What was received of it moves to {name}.', { name: product!.name })}</Text>}
    </FormDialog>
  );
}
