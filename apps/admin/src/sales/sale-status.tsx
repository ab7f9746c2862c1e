import { Badge } from '@mantine/core';
import { spoken } from '../parts/worded.ts';

const colors: Record<string, string> = { completed: 'green', pending: 'yellow', ready: 'blue', voided: 'red' };

export function SaleStatus({ of }: { of: string }) {
  return <Badge color={colors[of] ?? 'gray'}>{spoken(of === 'pending' ? 'parked' : of)}</Badge>;
}
