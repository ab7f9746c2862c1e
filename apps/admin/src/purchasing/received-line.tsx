/** A line of an order: what was ordered, invoiced and received, and a field for what arrives now. */

import { ActionIcon, Badge, Box, Group, Table, Text } from '@mantine/core';
import { Pencil1Icon } from '@radix-ui/react-icons';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';
import { Amount, UnitCost } from '../parts/amount.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { quantityOf } from '../parts/say-scanned.ts';
import { spoken } from '../parts/worded.ts';

type Line = Schemas['PurchaseOrderLineItem'];

const colors: Record<string, string> = { pending: 'gray', ok: 'green', short: 'red', over: 'orange', unexpected: 'orange' };

function LineVariance({ of }: { of: Line }) {
  const { fulfillment_variance: difference, variance_status: status } = of;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={colors[status] ?? 'gray'}>{spoken(status)}</Badge>
      {difference !== 0 && status !== 'pending' && (
        <span className="numeric">{`${difference > 0 ? '+' : '−'}${numberText(Math.abs(difference))}`}</span>
      )}
    </Group>
  );
}

interface ReceivedLineProps {
  of: Line;
  /** Undefined: the order is closed. */
  arrived: number | string | undefined;
  onArrived: (quantity: number | string) => void;
  onCorrect: (() => void) | undefined;
}

export function ReceivedLine({ of, arrived, onArrived, onCorrect }: ReceivedLineProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{of.product_name}</Text>
        <Text size="xs" c="dimmed" component="div">
          {of.sku && `${of.sku} · `}
          <UnitCost of={of.unit_price} />
        </Text>
        <Box hiddenFrom="xs" mt={4}>
          <LineVariance of={of} />
        </Box>
      </Table.Td>
      <Table.Td ta="right" className="numeric" visibleFrom="xs">
        {numberText(of.quantity_ordered)}
      </Table.Td>
      <Table.Td ta="right" className="numeric" visibleFrom="sm">
        {of.quantity_invoiced === null ? '–' : numberText(of.quantity_invoiced)}
      </Table.Td>
      <Table.Td ta="right" className="numeric nowrap">
        {numberText(of.quantity_received)}
        <Text span size="xs" c="dimmed" hiddenFrom="xs">
          {' '}
          {t('of {quantityOrdered}', { quantityOrdered: numberText(of.quantity_ordered) })}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <LineVariance of={of} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="lg">
        <Amount of={of.variance_value} />
      </Table.Td>
      {arrived !== undefined && (
        <Table.Td>
          <QuantityField
            size="xs"
            aria-label={t('Arrives now: {productName}', { productName: of.product_name })}
            {...quantityOf(of.id)}
            value={arrived}
            onQuantity={onArrived}
          />
        </Table.Td>
      )}
      <Table.Td>
        {onCorrect && (
          <ActionIcon aria-label={t('Correct {productName}', { productName: of.product_name })} onClick={onCorrect}>
            <Pencil1Icon />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
