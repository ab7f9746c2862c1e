import { Badge } from '@mantine/core';
import { spoken } from '../parts/worded.ts';

const colors: Record<string, string> = {
  pending: 'gray',
  confirmed: 'blue',
  shipped: 'indigo',
  partially_received: 'yellow',
  received: 'green',
  cancelled: 'red',
};

export function OrderStatus({ of }: { of: string }) {
  return <Badge color={colors[of] ?? 'gray'}>{spoken(of)}</Badge>;
}
