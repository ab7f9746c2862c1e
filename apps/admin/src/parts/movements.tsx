/** The ledger of an account: of a gift card, of store credit, of points. Newest first, paged by the API. */

import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';
import { Amount } from './amount.tsx';
import { type Column, ReadTable } from './data-table.tsx';
import { Empty } from './states.tsx';
import { Time } from './time.tsx';
import { worded } from './worded.ts';

export interface Movement {
  id: number;
  transaction_type: string;
  user_name: string | null;
  created_at: string;
  amount?: number;
  balance_after?: number;
  points?: number;
  points_after?: number;
  reason?: string | null;
  notes?: string | null;
}

interface MovementsProps {
  label: string;
  of: UseQueryResult<{ transactions: Movement[]; pagination: Schemas['Pagination'] }>;
  onPage: (page: number) => void;
}

export const movementsPerPage = 10;
const shown = (amount: number | undefined, points: number | undefined) =>
  amount === undefined ? points && numberText(points) : <Amount of={amount} />;

const columns: Column<Movement>[] = [
  { id: 'type', header: t('Type'), cell: (one) => worded(one.transaction_type) },
  { id: 'change', header: t('Change|amount'), align: 'right', cell: (one) => shown(one.amount, one.points) },
  { id: 'after', header: t('Balance'), align: 'right', cell: (one) => shown(one.balance_after, one.points_after) },
  { id: 'by', header: t('By'), from: 'sm', cell: (one) => one.user_name ?? '–' },
  { id: 'why', header: t('Reason'), from: 'md', cell: (one) => one.reason ?? one.notes ?? '–' },
  { id: 'at', header: t('When'), from: 'sm', cell: (one) => <Time at={one.created_at} ago /> },
];

export function Movements({ label, of, onPage }: MovementsProps) {
  const empty = <Empty title={t('No movement yet')} />;
  return <ReadTable label={label} of={of} rows={(data) => data.transactions} columns={columns} onPage={onPage} bars={2} empty={empty} />;
}
