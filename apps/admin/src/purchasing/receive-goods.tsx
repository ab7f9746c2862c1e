/** The lines of an order with their variance; while it is open, the quantities that arrive now are entered beside them. */

import { Button, Checkbox, Group, Stack, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useKept } from '../api/kept.ts';
import { isChangedMeanwhile } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { useOwn } from '../api/session.ts';
import { versions } from '../api/versions.ts';
import { t } from '../language/t.ts';
import { isNoQuantity, lessOf, oneMore } from '../parts/quantity.ts';
import { ChangedMeanwhile } from '../parts/record-form.tsx';
import { sayScanned } from '../parts/say-scanned.ts';
import { useScans } from '../parts/scanner.ts';
import { AskAgain, SentFields, useSending } from '../parts/sending.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';
import { useCodes, useLooksUp } from '../parts/use-codes.ts';
import { CorrectLine } from './correct-line.tsx';
import { NotReceived } from './not-received.tsx';
import { ReceivedLine } from './received-line.tsx';

type Order = Schemas['PurchaseOrder'];
type Line = Schemas['PurchaseOrderLineItem'];

type Arrived = Record<number, number | string>;

/** Quantities that are entered, by line; they outlive the page. */
interface Draft {
  arrived: Arrived;
  /** The version of the order that they were filled from. */
  filledAt?: string;
}

const empty: Draft = { arrived: {} };

export function ReceiveGoods({ order, open }: { order: Order; open: boolean }) {
  const kept = useOwn(`arrived-${order.id}`);
  const [{ arrived, filledAt }, setDraft] = useKept<Draft>(kept, empty);
  const setArrived = (next: (before: Arrived) => Arrived) => setDraft((draft) => ({ ...draft, arrived: next(draft.arrived) }));
  const [complete, setComplete] = useState(false);
  const [corrected, setCorrected] = useState<Line>();
  const client = useQueryClient();
  const receive = useWrite('receivePurchaseOrder', {
    changes: ['getPurchaseOrder', 'listPurchaseOrders', 'listStockAdjustments', 'listProducts', 'listLowStock'],
    done: ({ purchase_order }) => (purchase_order?.status === 'received' ? t('The order is received') : t('The goods are received')),
    quiet: true,
    kept,
    onDone: ({ purchase_order }, { body }) => take(body?.line_items, purchase_order?.status === 'received'),
  });
  const notExpected = (name: string | undefined) =>
    notifications.show({ message: t('{name} is not expected here', { name }), color: 'yellow', autoClose: false });
  /** What was scanned since it was sent stays, or is named where the order takes no more. */
  const take = (sent: { id?: number; quantity_received: number }[] = [], isClosed = false) => {
    setComplete(false);
    setDraft((draft) => {
      const left = { ...draft.arrived };
      for (const { id, quantity_received } of sent) left[id!] = lessOf(left[id!] || 0, quantity_received) || '';
      if (!isClosed) return { arrived: left };
      for (const { id, product_name } of order.line_items) if (Number(left[id] ?? 0) > 0) notExpected(product_name);
      return empty;
    });
  };
  const lines = Object.entries(arrived).flatMap(([id, quantity]) =>
    Number(quantity) > 0 ? [{ id: Number(id), quantity_received: Number(quantity) }] : [],
  );
  const body = { ...(lines.length > 0 && { line_items: lines }), complete };
  const send = () => receive.mutate(receive.owed ?? { params: { id: order.id }, body, ...(filledAt && { version: filledAt }) });
  const { submit, isLost, isLocked } = useSending(receive, send);
  const look = () => void client.invalidateQueries({ queryKey: ['getPurchaseOrder'] });
  const codes = useCodes(({ id, name }) => {
    const line = order.line_items.find(({ product_id }) => product_id === id);
    if (!line || !open) return notExpected(name);
    sayScanned(line.id, name, arrived[line.id]);
    setArrived((all) => ({ ...all, [line.id]: oneMore(all[line.id]) }));
  });
  useScans(codes, true);
  const looksUp = useLooksUp();
  const fill = () => {
    const rest = order.line_items.map((line) => [line.id, Math.max(0, lessOf(line.quantity_ordered, line.quantity_received))]);
    setDraft(() => ({ arrived: Object.fromEntries(rest), filledAt: versions.ofShown(order) }));
    receive.reset();
  };
  const keepMine = () => {
    setDraft(({ arrived }) => ({ arrived }));
    receive.reset();
  };
  const { error } = receive;
  const conflict = isChangedMeanwhile(error) ? { by: error.changedBy, at: error.changedAt, onTheirs: fill, onMine: keepMine } : undefined;
  return (
    <>
      {/* No form: Enter behind a quantity receives nothing. */}
      <Stack>
        <ChangedMeanwhile of={conflict} />
        {!open && !isLocked && <NotReceived of={order} arrived={arrived} onSeen={() => setDraft(() => empty)} />}
        <SentFields sent={receive}>
          <TableScroll label={t('Lines of the order')}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Product')}</Table.Th>
                  <Table.Th ta="right" visibleFrom="xs">
                    {t('Ordered')}
                  </Table.Th>
                  <Table.Th ta="right" visibleFrom="sm">
                    {t('Invoiced')}
                  </Table.Th>
                  <Table.Th ta="right">{t('Received')}</Table.Th>
                  <Table.Th visibleFrom="xs">{t('Variance')}</Table.Th>
                  <Table.Th ta="right" visibleFrom="lg">
                    {t('Value')}
                  </Table.Th>
                  {open && (
                    <Table.Th w={116} className="nowrap">
                      {t('Arrives now')}
                    </Table.Th>
                  )}
                  <Table.Td w={44} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {order.line_items.map((line) => (
                  <ReceivedLine
                    key={line.id}
                    of={line}
                    arrived={open ? (arrived[line.id] ?? '') : undefined}
                    onCorrect={order.status === 'cancelled' ? undefined : () => setCorrected(line)}
                    onArrived={(quantity) => setArrived((all) => ({ ...all, [line.id]: quantity }))}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        </SentFields>
        {isLost && <AskAgain onLook={look} onMissing={receive.reset} onAsk={submit} />}
        {open && !isLost && (
          <Group justify="space-between">
            <Checkbox
              label={t('Nothing more will arrive')}
              checked={complete}
              disabled={isLocked}
              onChange={(event) => setComplete(event.currentTarget.checked)}
            />
            <Group gap="xs">
              <Button variant="default" onClick={fill} disabled={isLocked}>
                {t('Fill with what is open')}
              </Button>
              <Button
                onClick={submit}
                loading={receive.isPending || looksUp}
                disabled={(lines.length === 0 && !complete) || Object.values(arrived).some(isNoQuantity)}
              >
                {t('Receive')}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
      {corrected && <CorrectLine order={order} line={corrected} onClose={() => setCorrected(undefined)} />}
    </>
  );
}
