import { Stack, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

type Drawer = Schemas['CashDrawerSession'];

const columns: Column<Drawer>[] = [
  { id: 'clerk', header: t('Clerk'), cell: ({ clerk }) => clerk?.name },
  { id: 'opened', header: t('Opened'), from: 'md', cell: ({ opened_at }) => <Time at={opened_at} /> },
  { id: 'closed', header: t('Closed'), from: 'sm', cell: ({ closed_at }) => <Time at={closed_at} /> },
  { id: 'expected', header: t('Expected'), align: 'right', cell: ({ expected }) => <Amount of={expected} /> },
  { id: 'counted', header: t('Counted'), align: 'right', cell: ({ counted }) => <Amount of={counted} /> },
  { id: 'difference', header: t('Difference'), align: 'right', cell: ({ difference }) => <Amount of={difference} /> },
];

const movementColumns: Column<Schemas['CashDrawerMovement']>[] = [
  { id: 'at', header: t('Cash in and out'), cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'by', header: t('By'), from: 'sm', cell: ({ user_name }) => user_name ?? '–' },
  { id: 'reason', header: t('Reason'), cell: ({ reason }) => reason },
  { id: 'amount', header: t('Amount'), align: 'right', cell: ({ amount }) => <Amount of={amount} /> },
];

/** The drawers that were closed on the day, and what they differ by together. */
export function Drawers({ of }: { of: Schemas['DayDrawers'] }) {
  return (
    <Stack gap="sm">
      <DataTable
        label={t('Cash drawers')}
        columns={columns}
        rows={of.closed}
        rowId={({ id }) => id}
        empty={<Empty title={t('None was closed')} />}
      />
      {of.movements.length > 0 && (
        <DataTable label={t('Cash in and out of drawers')} columns={movementColumns} rows={of.movements} rowId={({ id }) => id} />
      )}
      <Text size="sm">
        {t('Difference of all:')} <Amount of={of.difference} />. {t('Still open: {open}.', { open: of.open })}
      </Text>
    </Stack>
  );
}
