import { Stack, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

type Drawer = Schemas['CashDrawerSession'];

const columns: Column<Drawer>[] = [
  { id: 'clerk', header: 'Clerk', cell: ({ clerk }) => clerk?.name },
  { id: 'opened', header: 'Opened', from: 'md', cell: ({ opened_at }) => <Time at={opened_at} /> },
  { id: 'closed', header: 'Closed', from: 'sm', cell: ({ closed_at }) => <Time at={closed_at} /> },
  { id: 'expected', header: 'Expected', align: 'right', cell: ({ expected }) => <Amount of={expected} /> },
  { id: 'counted', header: 'Counted', align: 'right', cell: ({ counted }) => <Amount of={counted} /> },
  { id: 'difference', header: 'Difference', align: 'right', cell: ({ difference }) => <Amount of={difference} /> },
];

const movementColumns: Column<Schemas['CashDrawerMovement']>[] = [
  { id: 'at', header: 'Cash in and out', cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'by', header: 'By', from: 'sm', cell: ({ user_name }) => user_name ?? '–' },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
  { id: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
];

/** The drawers that were closed on the day, and what they differ by together. */
export function Drawers({ of }: { of: Schemas['DayDrawers'] }) {
  return (
    <Stack gap="sm">
      <DataTable label="Cash drawers" columns={columns} rows={of.closed} rowId={({ id }) => id} empty={<Empty title="None was closed" />} />
      {of.movements.length > 0 && (
        <DataTable label="Cash in and out of drawers" columns={movementColumns} rows={of.movements} rowId={({ id }) => id} />
      )}
      <Text size="sm">
        Difference of all <Amount of={of.difference} />; still open {of.open}.
      </Text>
    </Stack>
  );
}
