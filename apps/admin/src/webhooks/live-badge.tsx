import { Badge } from '@mantine/core';
import type { LiveState } from './use-live.ts';

const shown: Record<LiveState, { color: string; text: string }> = {
  connecting: { color: 'gray', text: 'Connecting' },
  live: { color: 'green', text: 'Live' },
  interrupted: { color: 'yellow', text: 'Reconnecting' },
};

/** Whether what is on the page follows by itself. */
export function LiveBadge({ state }: { state: LiveState }) {
  return (
    <Badge color={shown[state].color} role="status" aria-label={`Deliveries: ${shown[state].text}`}>
      {shown[state].text}
    </Badge>
  );
}
