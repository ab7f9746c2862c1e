/** A list of records of one kind that managers make, change and take away, all by the same form. */

import { ActionIcon, Button, Group } from '@mantine/core';
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { call, type OperationName } from '../api/client.ts';
import { isSignedOut } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Confirm } from './confirm.tsx';
import { type Column, ReadTable } from './data-table.tsx';
import type { Field, Values } from './field-input.tsx';
import { Section } from './page.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { Empty } from './states.tsx';

export interface Named {
  id: number;
  name: string;
}

interface RecordsProps<Row extends Named, Data extends object> {
  title?: string;
  texts: {
    /** What the list is, where it has no title. */
    list: string;
    /** On the button, and above the form of a new one. */
    create: string;
    /** Where there are none. */
    none: string;
    saved: string;
    gone: string;
  };
  /** The API's name of one in a body. */
  member: string;
  found: UseQueryResult<Data>;
  rowsOf: (data: Data) => Row[];
  onPage?: (page: number) => void;
  columns: Column<Row>[];
  /** Of the form for this one, or for a new one. */
  fieldsOf: (row: Row | undefined) => Field[];
  /** Of a new one. */
  initial?: Values;
  operations: Record<'create' | 'update' | 'remove', OperationName>;
  /** How one is read, and at which address: it is then changed at the version that its form shows. */
  one?: { get: OperationName; path: string };
  /** Reads whose answers a change changes. */
  changes: OperationName[];
  /** What taking one away is called, and what it means. */
  removal: { action: string; about: string };
  /** What these are for, where there are none. */
  empty: string;
  /** Above the list. */
  filters?: ReactNode;
}

export function Records<Row extends Named, Data extends object>(props: RecordsProps<Row, Data>) {
  const { texts, found, columns, operations, one, changes, removal } = props;
  const [edited, setEdited] = useState<Row | 'new'>();
  const [removed, setRemoved] = useState<Row>();
  const mayWrite = useMay('manager');
  const stop = () => setRemoved(undefined);
  const remove = useWrite(operations.remove, { changes, quiet: true, done: texts.gone, onDone: stop });
  const { action } = removal;
  /** What was asked for last is what is edited, however late an earlier one is read. */
  const asked = useRef<Row | 'new'>(undefined);
  const edit = (next: Row | 'new' | undefined) => {
    asked.current = next;
    setEdited(next);
  };
  const shown = useMemo(() => {
    const change = (row: Row) => {
      asked.current = row;
      const open = (now: Row) => asked.current === row && setEdited(now);
      // Without an answer the form begins with what the list says; over a session that has lapsed it would take the cursor.
      void latest(row, props.member, one).then(open, (error) => isSignedOut(error) || open(row));
    };
    return mayWrite ? [...columns, actionsColumn<Row>(action, change, setRemoved)] : columns;
    // The rows' readers are the same as long as the columns are.
  }, [columns, mayWrite, action, one, props.member]);
  const make = mayWrite && (
    <Button onClick={() => edit('new')} ml="auto">
      {texts.create}
    </Button>
  );
  return (
    <Section title={props.title} aside={make}>
      {props.filters}
      <ReadTable
        label={props.title ?? texts.list}
        of={found}
        rows={props.rowsOf}
        columns={shown}
        onPage={props.onPage}
        empty={<Empty title={texts.none}>{props.empty}</Empty>}
      />
      {edited && <Editor {...props} row={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />}
      <Confirm
        opened={removed !== undefined}
        title={t('{action} {name}?', { action, name: removed?.name })}
        action={action}
        sent={remove}
        onClose={stop}
        onConfirm={() => remove.mutate(at(removed!.id))}
      >
        {removal.about}
      </Confirm>
    </Section>
  );
}

async function latest<Row extends Named>(row: Row, member: string, one: { get: OperationName } | undefined): Promise<Row> {
  if (!one) return row;
  const answer = (await call(one.get, at(row.id))) as Record<string, unknown>;
  return answer[member] as Row;
}

const at = (id: number) => ({ params: { id } });

interface EditorProps<Row extends Named, Data extends object> extends RecordsProps<Row, Data> {
  row: Row | undefined;
  onClose: () => void;
}

function Editor<Row extends Named, Data extends object>({ row, texts, member, one, operations, changes, ...rest }: EditorProps<Row, Data>) {
  const written = { changes, quiet: true, done: texts.saved, onDone: rest.onClose };
  const create = useWrite(operations.create, written);
  const update = useWrite(operations.update, written);
  /** Without an address of its own it is read with its list. */
  const listed = async (of: Row) =>
    rest.rowsOf((await rest.found.refetch({ throwOnError: true })).data!).find(({ id }) => id === of.id) ?? of;
  const existing = row && { path: one ? `${one.path}/${row.id}` : '', read: () => (one ? latest(row, member, one) : listed(row)) };
  return (
    <RecordDialog
      title={row ? t('Change {name}', { name: row.name }) : texts.create}
      fields={rest.fieldsOf(row)}
      record={row}
      existing={existing}
      initial={rest.initial}
      sent={{ isPending: create.isPending || update.isPending, error: create.error ?? update.error }}
      onSave={(body, version) => {
        const input = { ...(row && at(row.id)), body: { [member]: body }, version };
        return (row ? update : create).mutateAsync(input);
      }}
      onClose={rest.onClose}
    />
  );
}

/** Changes a row, or takes it away by this word. */
export function actionsColumn<Row extends Named>(action: string, onChange: (row: Row) => void, onRemove: (row: Row) => void): Column<Row> {
  return {
    id: 'actions',
    header: t('Actions'),
    align: 'right',
    cell: (row) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <ActionIcon aria-label={t('Change {name}', { name: row.name })} onClick={() => onChange(row)}>
          <Pencil1Icon />
        </ActionIcon>
        <ActionIcon aria-label={`${action} ${row.name}`} onClick={() => onRemove(row)}>
          <TrashIcon />
        </ActionIcon>
      </Group>
    ),
  };
}
