import { Badge } from '@mantine/core';
import { t } from '../language/t.ts';
import type { LiveState } from './use-live.ts';

const shown: Record<LiveState, { color: string; text: string }> = {
  connecting: { color: 'gray', text: t('Connecting') },
  live: { color: 'green', text: t('Live') },
  interrupted: { color: 'yellow', text: t('Reconnecting') },
};

/** Whether what is on the page follows by itself. */
export function LiveBadge({ state }: { state: LiveState }) {
  return (
    <Badge color={shown[state].color} role="status" aria-label={t('Deliveries: {text}', { text: shown[state].text })}>
      {shown[state].text}
    </Badge>
  );
}
