/** A table of rows; sortable where the whole list is there, paged by the API where it is not. */

import { Button, Table, UnstyledButton } from '@mantine/core';
import { CaretSortIcon, ChevronDownIcon, ChevronUpIcon } from '@radix-ui/react-icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { type MouseEvent, memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { Paging } from './paging.tsx';
import { Empty, Shown } from './states.tsx';
import { TableScroll } from './table-scroll.tsx';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What to sort by; without it the column is not sortable. */
  sortBy?: (row: Row) => string | number;
  align?: 'left' | 'right';
  /** The narrowest screen that shows it. */
  from?: 'xs' | 'sm' | 'md' | 'lg';
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string | number;
  /** Shown instead of no rows. */
  empty?: ReactNode;
  paging?: { of: Schemas['Pagination'] | undefined; onPage: (page: number) => void };
  onRow?: (row: Row) => void;
}

interface Sorting {
  /** Of a column. */
  id: string;
  order: 'ascending' | 'descending';
}

export function DataTable<Row extends object>({ label, columns, rows, rowId, empty, paging, onRow }: DataTableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting>();
  const shown = useMemo(() => sorted(rows, columns, sorting), [rows, columns, sorting]);
  // The callers' function is another one each time; the rows need not be drawn anew for that.
  const openRow = useRef(onRow);
  openRow.current = onRow;
  const open = useCallback((row: Row) => openRow.current?.(row), []);
  if (paging?.of && paging.of.current_page > Math.max(1, paging.of.total_pages)) return <BeyondEnd of={paging.of} onPage={paging.onPage} />;
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <>
      <TableScroll label={label}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  order={sorting?.id === column.id ? sorting.order : 'none'}
                  onSort={() => setSorting((now) => after(now, column.id))}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <BodyRow key={rowId(row)} of={row} columns={columns} onOpen={onRow ? open : undefined} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {paging?.of && <Paging of={paging.of} onPage={paging.onPage} label={label} />}
    </>
  );
}

interface ReadTableProps<Row, Data> extends Omit<DataTableProps<Row>, 'rows' | 'rowId' | 'paging'> {
  of: UseQueryResult<Data>;
  rows: (data: Data) => Row[];
  /** Of a list that has pages. */
  onPage?: (page: number) => void;
  /** So many stand in its place until it is there. */
  bars?: number;
}

/** A list of records that is read. */
export function ReadTable<Row extends { id: number }, Data extends object>({ of, rows, onPage, bars, ...rest }: ReadTableProps<Row, Data>) {
  return (
    <Shown of={of} rows={bars}>
      {(data) => {
        const { pagination } = data as { pagination?: Schemas['Pagination'] };
        return <DataTable {...rest} rows={rows(data)} rowId={({ id }) => id} paging={onPage && { of: pagination, onPage }} />;
      }}
    </Shown>
  );
}

/** As when rows were deleted in another tab. */
function BeyondEnd({ of, onPage }: { of: Schemas['Pagination']; onPage: (page: number) => void }) {
  const last = (
    <Button variant="default" onClick={() => onPage(Math.max(1, of.total_pages))}>
      {t('Last page')}
    </Button>
  );
  return <Empty title={t('The list is shorter by now')} action={last} />;
}

function sorted<Row>(rows: Row[], columns: Column<Row>[], sorting: Sorting | undefined): Row[] {
  const keyOf = columns.find(({ id }) => id === sorting?.id)?.sortBy;
  if (!keyOf) return rows;
  const sign = sorting!.order === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

/** A column is sorted upwards, then downwards, then not. */
function after(now: Sorting | undefined, id: string): Sorting | undefined {
  if (now?.id !== id) return { id, order: 'ascending' };
  return now.order === 'ascending' ? { id, order: 'descending' } : undefined;
}

interface BodyRowProps<Row> {
  of: Row;
  columns: Column<Row>[];
  onOpen: ((row: Row) => void) | undefined;
}

/** Drawn again only when its data changes, not while the next page is on its way. */
const BodyRow = memo(function BodyRow<Row>({ of, columns, onOpen }: BodyRowProps<Row>) {
  return (
    <Table.Tr onClick={onOpen && ((event) => isOnRow(event) && onOpen(of))} style={onOpen && { cursor: 'pointer' }}>
      {columns.map((column) => (
        <Table.Td
          key={column.id}
          ta={column.align}
          visibleFrom={column.from}
          className={column.align === 'right' ? 'numeric nowrap' : undefined}
        >
          {column.cell(of)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

/** A link or button within the row does its own; text that was selected is for copying. */
function isOnRow(event: MouseEvent<HTMLElement>): boolean {
  return !(event.target as Element).closest('a, button') && !window.getSelection()?.toString();
}

const sortIcons = { none: CaretSortIcon, ascending: ChevronUpIcon, descending: ChevronDownIcon };

interface HeaderCellProps<Row> {
  column: Column<Row>;
  order: keyof typeof sortIcons;
  onSort: () => void;
}

function HeaderCell<Row>({ column: { header, sortBy, align, from }, order, onSort }: HeaderCellProps<Row>) {
  const Icon = sortIcons[order];
  return (
    <Table.Th ta={align} visibleFrom={from} className="nowrap" aria-sort={sortBy ? order : undefined}>
      {sortBy ? (
        <UnstyledButton onClick={onSort} fw="inherit" fz="inherit" c="inherit">
          {header} <Icon aria-hidden width={12} height={12} style={{ verticalAlign: '-1px' }} />
        </UnstyledButton>
      ) : (
        header
      )}
    </Table.Th>
  );
}
