import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import type { RecordKind } from './records.ts';

/** From a record to everything that changed it. */
export function HistoryLink({ kind, id }: { kind: RecordKind; id: number }) {
  if (!useMay('manager')) return null;
  return (
    <Button component={Link} to={`/audit?type=${kind}&id=${id}`} variant="default">
      {t('History')}
    </Button>
  );
}
