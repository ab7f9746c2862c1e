import { Badge } from '@mantine/core';

export function StatusBadge({ status }: { status: number }) {
  const color = status >= 500 ? 'red' : status === 429 ? 'yellow' : status >= 400 ? 'orange' : 'green';
  return <Badge color={color}>{status}</Badge>;
}
