/** One purchase order: what was ordered, invoiced and received, and the goods that arrive now. */

import { Button, Grid } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { versions } from '../api/versions.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { dayText, Time } from '../parts/time.tsx';
import { spoken } from '../parts/worded.ts';
import { include, OrderDetails } from './order-details.tsx';
import { OrderStatus } from './order-status.tsx';
import { ReceiveGoods } from './receive-goods.tsx';
import { SupplierInvoice } from './supplier-invoice.tsx';

type Order = Schemas['PurchaseOrder'];

const nextStatus: Record<string, 'confirmed' | 'shipped'> = { pending: 'confirmed', confirmed: 'shipped' };
const doubledWithinMs = 1_000;
const openStatuses = new Set(['pending', 'confirmed', 'shipped', 'partially_received']);

export default function PurchaseOrder() {
  const id = Number(useParams().id);
  const found = useRead('getPurchaseOrder', { params: { id }, query: { include } });
  const move = useWrite('updatePurchaseOrder', { changes: ['getPurchaseOrder', 'listPurchaseOrders'] });
  const [dialog, setDialog] = useState<'details' | 'invoice' | 'cancel'>();
  const close = () => setDialog(undefined);
  const order = found.data?.purchase_order;
  const isOpen = order !== undefined && openStatuses.has(order.status);
  const next = order && nextStatus[order.status];
  const changed = useChanged(order?.status);
  const to = (status: 'confirmed' | 'shipped' | 'cancelled') => {
    // The second click of a doubled one was meant for the button that stood here before.
    if (changed.withinMs(doubledWithinMs)) return;
    const version = versions.ofShown(order!);
    move.mutate({ params: { id }, query: { include }, body: { purchase_order: { status } }, version });
  };
  const actions = order && (
    <>
      <HistoryLink kind="PurchaseOrder" id={id} />
      {order.status === 'pending' && (
        <Button variant="default" onClick={() => setDialog('cancel')} loading={move.isPending}>
          {t('Cancel the order')}
        </Button>
      )}
      {next && (
        <Button variant="default" onClick={() => to(next)} loading={move.isPending}>
          {t('Mark as {next}', { next: spoken(next) })}
        </Button>
      )}
      {order.status !== 'cancelled' && (
        <Button variant="default" onClick={() => setDialog('invoice')}>
          {t("Supplier's invoice")}
        </Button>
      )}
      {isOpen && order.line_items.every(({ quantity_received }) => quantity_received === 0) && (
        <Button onClick={() => setDialog('details')}>{t('Change')}</Button>
      )}
    </>
  );
  return (
    <Page
      title={order ? t('Order {orderNumber}', { orderNumber: order.order_number }) : t('Purchase order')}
      above={['/purchase-orders', t('Purchase orders')]}
      actions={actions}
    >
      <Shown of={found}>
        {() => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 3 }}>
              <Section title={t('Summary')}>
                <OrderFacts of={order!} />
              </Section>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 9 }}>
              <Section title={t('Lines')}>
                <ReceiveGoods key={id} order={order!} open={isOpen} />
              </Section>
            </Grid.Col>
          </Grid>
        )}
      </Shown>
      <Confirm
        opened={order !== undefined && dialog === 'cancel'}
        title={t('Cancel {orderNumber}?', { orderNumber: order?.order_number })}
        action={t('Cancel the order')}
        onClose={close}
        onConfirm={() => {
          close();
          to('cancelled');
        }}
      >
        {t('This cannot be undone.')}
      </Confirm>
      {order && dialog === 'details' && <OrderDetails order={order} onClose={close} />}
      {order && dialog === 'invoice' && <SupplierInvoice order={order} onClose={close} />}
    </Page>
  );
}

/** Whether this has just become another one on the page. */
function useChanged(value: string | undefined) {
  const shown = useRef(value);
  const at = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== value) at.current = performance.now();
    shown.current = value;
  }, [value]);
  return { withinMs: (ms: number) => performance.now() - at.current < ms };
}

function OrderFacts({ of }: { of: Order }) {
  return (
    <Facts
      of={[
        [t('Status'), <OrderStatus key="status" of={of.status} />],
        [t('Supplier'), of.supplier?.name],
        !!of.external_id && [t('External id'), of.external_id],
        [t('Variance'), of.has_variance ? t('Yes') : t('No')],
        [t('Ordered'), <Time key="ordered" at={of.ordered_at} />],
        [t('Received'), <Time key="received" at={of.received_at} />],
        [t('Expected'), of.expected_on && dayText(of.expected_on)],
        [
          t('Invoice'),
          [of.supplier_invoice_number, of.supplier_invoice_date && dayText(of.supplier_invoice_date)].filter(Boolean).join(', ') || '–',
        ],
        [t('Notes'), of.notes],
        [t('Subtotal'), <Amount key="subtotal" of={of.subtotal} />],
        [t('Tax'), <Amount key="tax" of={of.tax_amount} />],
        [t('Shipping'), <Amount key="shipping" of={of.shipping_cost} />],
        [
          t('Total'),
          <b key="total">
            <Amount of={of.total} />
          </b>,
        ],
      ]}
    />
  );
}
