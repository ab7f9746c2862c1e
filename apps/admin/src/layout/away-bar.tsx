/** Says that the store does not answer, on every page, until it does again. What was typed stays where it is. */

import { Alert } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { useIsAway } from '../api/reach.ts';
import { t } from '../language/t.ts';

const askAgainMs = 5_000;

export function AwayBar() {
  const isAway = useIsAway();
  // Any answer ends it; a page that waits for nothing would not ask.
  useRead('getOwnStaffUser', {}, { enabled: isAway, refetchInterval: askAgainMs, staleTime: 0 });
  if (!isAway) return null;
  return (
    <Alert color="yellow" role="status" mb="md" title={t('The store cannot be reached')}>
      {t('It is asked again. Nothing that you typed or scanned is lost; sales are completed once it answers.')}
    </Alert>
  );
}
