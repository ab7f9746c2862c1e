/** Fields of a record before and after a change; a record that was made or deleted has one side alone. */

import { Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';
import { TableScroll } from '../parts/table-scroll.tsx';

type Values = Record<string, unknown> | null;

/** A new record has dozens of fields; the first ones identify it. */
const shownMax = 6;
const textMax = 160;

export function Changes({ label, before, after }: { label: string; before: Values; after: Values }) {
  const [all, setAll] = useState(false);
  const names = changedNames(before, after);
  const isCut = names.length > shownMax || names.some((name) => [before, after].some((values) => textOf(values?.[name]).length > textMax));
  if (names.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No fields are recorded for this action.')}
      </Text>
    );
  }
  return (
    <>
      <TableScroll label={label}>
        <Table verticalSpacing={4} highlightOnHover={false} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="28%">{t('Field')}</Table.Th>
              {before && <Table.Th>{t('Before')}</Table.Th>}
              {after && <Table.Th>{t('After')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(all ? names : names.slice(0, shownMax)).map((name) => (
              <Table.Tr key={name}>
                <Table.Td className="code" fz="xs">
                  {name}
                </Table.Td>
                {before && <Value of={before[name]} className="diff-removed" whole={all} />}
                {after && <Value of={after[name]} className="diff-added" whole={all} />}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {isCut && (
        <Button size="compact-xs" variant="subtle" mt={4} ml={-8} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show less') : names.length > shownMax ? t('Show all {count} fields', { count: names.length }) : t('Show everything')}
        </Button>
      )}
    </>
  );
}

function Value({ of, className, whole }: { of: unknown; className: string; whole: boolean }) {
  const text = textOf(of);
  return (
    <Table.Td className={text === '' ? 'code' : `code ${className}`} fz="xs" style={{ whiteSpace: 'pre-wrap', verticalAlign: 'top' }}>
      {whole || text.length <= textMax ? text : `${text.slice(0, textMax)}…`}
    </Table.Td>
  );
}

/** What is null on both sides says nothing; lists and objects come last. */
function changedNames(before: Values, after: Values): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const isNested = (name: string) => [before?.[name], after?.[name]].some((value) => typeof value === 'object' && value !== null);
  // The record's own id is in the title.
  const said = names.filter((name) => name !== 'id' && ((before?.[name] ?? null) !== null || (after?.[name] ?? null) !== null));
  return [...said.filter((name) => !isNested(name)), ...said.filter(isNested)];
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return value.every((one) => typeof one !== 'object') ? value.join(', ') : value.map((one) => JSON.stringify(one)).join('\n');
}
