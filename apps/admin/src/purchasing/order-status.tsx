import { Badge } from '@mantine/core';

const colors: Record<string, string> = {
  pending: 'gray',
  confirmed: 'blue',
  shipped: 'indigo',
  partially_received: 'yellow',
  received: 'green',
  cancelled: 'red',
};

export function OrderStatus({ of }: { of: string }) {
  return <Badge color={colors[of] ?? 'gray'}>{of.replaceAll('_', ' ')}</Badge>;
}

const varianceColors: Record<string, string> = { pending: 'gray', ok: 'green', short: 'red', over: 'orange', unexpected: 'orange' };

export function Variance({ of }: { of: string }) {
  return <Badge color={varianceColors[of] ?? 'gray'}>{of}</Badge>;
}
