import { ActionIcon, Group, NumberInput, Table, Text } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import type { Dispatch } from 'react';
import { Amount } from '../parts/amount.tsx';
import { centsOf, textOf, timesQuantity } from '../parts/money.ts';
import { Empty } from '../parts/states.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';
import type { CartAction, CartLine } from './cart.ts';

export function CartLines({ lines, change }: { lines: CartLine[]; change: Dispatch<CartAction> }) {
  if (lines.length === 0) return <Empty title="No lines yet">Search for a product or scan its barcode.</Empty>;
  return (
    <TableScroll label="Lines of this sale">
      <Table highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Product</Table.Th>
            <Table.Th w={96}>Quantity</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.productId}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {line.name}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Amount of={line.unitPrice} /> each
                </Text>
              </Table.Td>
              <Table.Td>
                <NumberInput
                  aria-label={`Quantity of ${line.name}`}
                  size="xs"
                  min={0.001}
                  decimalScale={3}
                  value={line.quantity}
                  onChange={(value) =>
                    Number(value) > 0 && change({ kind: 'quantity', productId: line.productId, quantity: Number(value) })
                  }
                />
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end" wrap="nowrap" gap="xs">
                  <Amount of={textOf(timesQuantity(centsOf(line.unitPrice) ?? 0n, line.quantity))} />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove ${line.name}`}
                    onClick={() => change({ kind: 'remove', productId: line.productId })}
                  >
                    <Cross2Icon />
                  </ActionIcon>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
}
