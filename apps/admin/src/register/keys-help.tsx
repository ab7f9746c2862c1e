/** The keys of the register, on a sheet. */

import { Kbd, Table } from '@mantine/core';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { methods } from './payments.ts';

const keys: [key: string, does: string][] = [
  ['/', t('Go to the search')],
  ['3*', t('Before a code: three of it')],
  ['+', t('One more of the newest line')],
  ['−', t('One less of it')],
  ['Del', t('Take the newest line away')],
  ['Esc', t('Clear the sale')],
  ['F4', t('Take payment; Enter completes it')],
  ['F8', t('Park the sale')],
  ...methods.flatMap(({ key, label }): [string, string][] =>
    key ? [[key, t('While paying: {label}, or one more payment with it', { label: label.toLowerCase() })]] : [],
  ),
  ['?', t('This sheet')],
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Keys|of the keyboard')} onClose={onClose}>
      <Table highlightOnHover={false}>
        <Table.Tbody>
          {keys.map(([key, does]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" w={72}>
                <Kbd>{key}</Kbd>
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
