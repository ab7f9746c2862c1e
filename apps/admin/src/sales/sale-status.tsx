import { Badge } from '@mantine/core';

const colors: Record<string, string> = { completed: 'green', pending: 'yellow', ready: 'blue', voided: 'red' };

export function SaleStatus({ of }: { of: string }) {
  return <Badge color={colors[of] ?? 'gray'}>{of === 'pending' ? 'parked' : of}</Badge>;
}
