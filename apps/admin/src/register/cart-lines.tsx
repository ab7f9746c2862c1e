import { ActionIcon, Group, Table, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Cross2Icon, StarFilledIcon, StarIcon } from '@radix-ui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { quantityText } from '../parts/quantity.ts';
import { Empty } from '../parts/states.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';
import { type CartLine, quantityFrom, totalOf } from './cart.ts';
import type { Sale } from './till.ts';

interface CartLinesProps {
  lines: CartLine[];
  /** Of these lines; absent: it is asked for. */
  price: Sale | undefined;
  /** 0 takes the line away. */
  onQuantity: (line: CartLine, quantity: number) => void;
  isFavourite: (productId: number) => boolean;
  onFavourite: (line: CartLine) => void;
}

export function CartLines({ lines, price, onQuantity, isFavourite, onFavourite }: CartLinesProps) {
  const newest = useRef<HTMLTableRowElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line that came is shown.
  useEffect(() => {
    newest.current?.scrollIntoView({ block: 'nearest' });
  }, [lines.length]);
  if (lines.length === 0) return <Empty title={t('No lines yet')}>{t('Search for a product or scan its barcode.')}</Empty>;
  return (
    <TableScroll label={t('Lines of this sale')}>
      <Table highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Product')}</Table.Th>
            <Table.Th w={96}>{t('Quantity')}</Table.Th>
            <Table.Th ta="right">{t('Total')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, index) => (
            <Table.Tr key={line.key} ref={index === lines.length - 1 ? newest : undefined}>
              <Table.Td>
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {line.name}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Amount of={price?.line_items[index]?.unit_price ?? line.unitPrice} /> {line.weighed ? t('a gram') : t('each')}
                </Text>
                {line.weighed && line.quantity === 1 && !line.own && (
                  <Text size="xs" c="red" role="alert">
                    {t('Sold by weight: how much?')}
                  </Text>
                )}
                {[...(line.own?.modifiers ?? []).map(({ name }) => name), line.own?.note].map(
                  (said) =>
                    said && (
                      <Text key={said} size="xs">
                        {said}
                      </Text>
                    ),
                )}
              </Table.Td>
              <Table.Td>
                <LineQuantity line={line} onQuantity={(quantity) => onQuantity(line, quantity)} />
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end" wrap="nowrap" gap="xs">
                  <Amount of={price?.line_items[index]?.total ?? totalOf(line)} />
                  <ActionIcon
                    size={44}
                    visibleFrom="xs"
                    aria-label={t('{name} is a favourite', { name: line.name })}
                    aria-pressed={isFavourite(line.productId)}
                    onClick={() => onFavourite(line)}
                  >
                    {isFavourite(line.productId) ? <StarFilledIcon /> : <StarIcon />}
                  </ActionIcon>
                  <ActionIcon size={44} aria-label={t('Remove {name}', { name: line.name })} onClick={() => onQuantity(line, 0)}>
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

/** What is typed counts when the field is left or with Enter; what cannot be sold goes back to what it was, and is told. */
function LineQuantity({ line, onQuantity }: { line: CartLine; onQuantity: (quantity: number) => void }) {
  const [draft, setShown] = useState<string>();
  // Not the state: a change while the field has no focus is taken in the same event.
  const typed = useRef<string>(undefined);
  const setDraft = (text: string | undefined) => {
    typed.current = text;
    setShown(text);
  };
  const take = () => {
    const text = typed.current;
    const quantity = text === undefined ? undefined : quantityFrom(text, line);
    setDraft(undefined);
    if (quantity === undefined && text !== undefined && text.trim() !== '')
      notifications.show({ message: t('{text} is no quantity of {name}', { text, name: line.name }), color: 'yellow' });
    if (quantity !== undefined && quantity !== line.quantity) onQuantity(quantity);
  };
  return (
    <TextInput
      aria-label={t('Quantity of {name}', { name: line.name })}
      inputMode="decimal"
      autoComplete="off"
      data-counts-on-blur
      styles={{ input: { minHeight: 44 } }}
      value={draft ?? quantityText(line.quantity)}
      onFocus={(event) => event.currentTarget.select()}
      // A scan leaves the focus here: what is typed then takes the place of the number, and does not follow it.
      onClick={(event) => event.currentTarget.select()}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value === quantityText(line.quantity) ? undefined : currentTarget.value);
        // A late scan has put back what it was, and nobody leaves the field.
        if (currentTarget !== document.activeElement) take();
      }}
      onBlur={take}
      onKeyDown={(event) => {
        // What is typed next is the next product, and no quantity.
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}
