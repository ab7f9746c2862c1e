/** Orders goods from a supplier. */

import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useKept } from '../api/kept.ts';
import { useWrite } from '../api/query.ts';
import { useOwn } from '../api/session.ts';
import { t } from '../language/t.ts';
import { MoneyField } from '../parts/money-field.tsx';
import { Page, Section } from '../parts/page.tsx';
import { type ProductLine, ProductLines } from '../parts/product-lines.tsx';
import { lessOf } from '../parts/quantity.ts';
import { AskAgain, SentFields, useSending } from '../parts/sending.tsx';
import { useLooksUp } from '../parts/use-codes.ts';
import { SupplierSelect } from './supplier-select.tsx';

interface OrderLine extends ProductLine {
  price: string;
}

interface Draft {
  supplier: number | null;
  /** It may be beyond those that the field offers. */
  supplierName?: string;
  lines: OrderLine[];
}

const empty: Draft = { supplier: null, lines: [] };

export default function NewOrder() {
  const navigate = useNavigate();
  const kept = useOwn('order');
  const [{ supplier, supplierName, lines }, setDraft] = useKept<Draft>(kept, empty);
  const create = useWrite('createPurchaseOrder', {
    changes: ['listPurchaseOrders'],
    quiet: true,
    kept,
    done: t('The order is created'),
    onDone: ({ purchase_order }, { body }, isShown) => {
      const ordered = new Map(body.purchase_order.line_items!.map((line) => [line.product_id, line.quantity_ordered]));
      setDraft((draft) => {
        const rest = (line: OrderLine) => ({ ...line, quantity: lessOf(line.quantity, ordered.get(line.productId)) });
        const later = draft.lines.map(rest).filter(({ quantity }) => quantity > 0);
        if (later.length > 0) notifications.show({ message: t('What was scanned meanwhile is in the next order'), autoClose: false });
        return later.length > 0 ? { ...draft, lines: later } : empty;
      });
      if (isShown) void navigate(`/purchase-orders/${purchase_order!.id}`);
    },
  });
  const form = useRef<HTMLDivElement>(null);
  const order = () => {
    // There is no form that the browser would judge.
    const fault = create.owed ? null : form.current?.querySelector<HTMLInputElement>('input:invalid');
    if (fault) return void fault.reportValidity();
    const line_items = lines.map(({ productId, quantity, price }) => ({
      product_id: productId,
      quantity_ordered: Number(quantity),
      unit_price: price,
    }));
    create.mutate(create.owed ?? { body: { purchase_order: { ...(supplier && { supplier_id: supplier }), line_items } } });
  };
  const { submit, isLost } = useSending(create, order);
  const looksUp = useLooksUp();
  return (
    <Page title={t('New purchase order')} above={['/purchase-orders', t('Purchase orders')]}>
      <Section>
        {/* No form: Enter behind a scan or a quantity orders nothing. */}
        <Stack ref={form}>
          <SentFields sent={create}>
            <SupplierSelect
              value={supplier}
              name={supplierName}
              onChange={(next, name) => setDraft((draft) => ({ ...draft, supplier: next, supplierName: name }))}
            />
            <ProductLines
              label={t('Lines of the order')}
              quantity={t('Quantity')}
              lines={lines}
              setLines={(next) => setDraft((draft) => ({ ...draft, lines: next(draft.lines) }))}
              lineOf={({ cost }) => ({ price: cost ?? '' })}
              more={{
                header: t('Unit price'),
                cell: (line, change) => (
                  <MoneyField
                    size="xs"
                    isUnitCost
                    // It becomes the cost of the product: nobody who does not know it orders at 0.00.
                    required
                    aria-label={t('Unit price of {name}', { name: line.name })}
                    value={line.price}
                    onText={(price) => change({ price })}
                  />
                ),
              }}
            />
          </SentFields>
          {isLost ? (
            <AskAgain onLook={() => void navigate('/purchase-orders')} onMissing={create.reset} onAsk={submit} />
          ) : (
            <Group justify="flex-end">
              <Button onClick={submit} loading={create.isPending || looksUp} disabled={lines.length === 0}>
                {t('Create the order')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
    </Page>
  );
}
