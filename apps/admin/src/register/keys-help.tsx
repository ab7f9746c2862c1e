/** The keys of the register, on a sheet. */
import { Kbd, Table } from '@mantine/core';
import { Dialog } from '../parts/dialog.tsx';
import { methods } from './payments.ts';

const keys: [key: string, does: string][] = [
  ['/', 'Go to the search'],
  ['3*', 'Before a code: three of it'],
  ['+', 'One more of the newest line'],
  ['−', 'One less of it'],
  ['Del', 'Take the newest line away'],
  ['Esc', 'Clear the sale'],
  ['F4', 'Take payment; Enter completes it'],
  ['F8', 'Park the sale'],
  ...methods.flatMap(({ key, label }): [string, string][] =>
    key ? [[key, `While paying: ${label.toLowerCase()}, or one more payment with it`]] : [],
  ),
  ['?', 'This sheet'],
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
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
