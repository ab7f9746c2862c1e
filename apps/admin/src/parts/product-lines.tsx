/** Products with a quantity each, scanned or searched; what is scanned again is one more. */

import { ActionIcon, Table } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';
import { type Product, ProductSearch } from './product-search.tsx';
import { oneMore } from './quantity.ts';
import { QuantityField } from './quantity-field.tsx';
import { quantityOf, sayScanned } from './say-scanned.ts';
import { useScans } from './scanner.ts';
import { Empty } from './states.tsx';
import { TableScroll } from './table-scroll.tsx';
import { useCodes } from './use-codes.ts';

export interface ProductLine {
  productId: number;
  name: string;
  quantity: number | string;
}

interface ProductLinesProps<Line extends ProductLine> {
  /** What the lines are of. */
  label: string;
  /** What their quantity is called. */
  quantity: string;
  lines: Line[];
  setLines: (next: (all: Line[]) => Line[]) => void;
  /** Of a product that is new among them, without its quantity. */
  lineOf: (product: Product) => Omit<Line, keyof ProductLine>;
  /** A column of theirs after the quantity. */
  more: { header: string; cell: (line: Line, change: (some: Partial<Line>) => void) => ReactNode };
}

export function ProductLines<Line extends ProductLine>({ label, quantity, lines, setLines, lineOf, more }: ProductLinesProps<Line>) {
  const change = (id: number, some: Partial<Line>) =>
    setLines((all) => all.map((line) => (line.productId === id ? { ...line, ...some } : line)));
  const add = (product: Product) => {
    sayScanned(product.id, product.name, lines.find(({ productId }) => productId === product.id)?.quantity);
    setLines((all) =>
      all.some(({ productId }) => productId === product.id)
        ? all.map((line) => (line.productId === product.id ? { ...line, quantity: oneMore(line.quantity) } : line))
        : [...all, { ...lineOf(product), productId: product.id, name: product.name ?? '', quantity: 1 } as Line],
    );
  };
  const look = useCodes(add);
  useScans(look);
  return (
    <>
      <ProductSearch label={t('Add a product')} onFound={add} onCode={look} />
      {lines.length === 0 ? (
        <Empty title={t('No lines yet')} />
      ) : (
        <TableScroll label={label}>
          <Table highlightOnHover={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Product')}</Table.Th>
                <Table.Th w={110}>{quantity}</Table.Th>
                <Table.Th w={110}>{more.header}</Table.Th>
                <Table.Td w={44} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((line) => (
                <Table.Tr key={line.productId}>
                  <Table.Td>{line.name}</Table.Td>
                  <Table.Td>
                    <QuantityField
                      size="xs"
                      aria-label={t('{quantity} of {name}', { quantity, name: line.name })}
                      value={line.quantity}
                      {...quantityOf(line.productId)}
                      onQuantity={(next) => change(line.productId, { quantity: next } as Partial<Line>)}
                    />
                  </Table.Td>
                  <Table.Td>{more.cell(line, (some) => change(line.productId, some))}</Table.Td>
                  <Table.Td>
                    <ActionIcon
                      aria-label={t('Remove {name}', { name: line.name })}
                      onClick={() => setLines((all) => all.filter(({ productId }) => productId !== line.productId))}
                    >
                      <Cross2Icon />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </>
  );
}
