import type { ReactNode } from 'react';
import { type Role, useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Empty } from '../parts/states.tsx';
import { spoken } from '../parts/worded.ts';

/** A page for a role; others see that instead of refusals. */
export function NeedsRole({ least, children }: { least: Role; children: ReactNode }) {
  const may = useMay(least);
  if (may) return <>{children}</>;
  return (
    <Empty title={t('This page is not for your role')}>
      {t('It needs the role {least}. Ask an admin of the store.', { least: spoken(least) })}
    </Empty>
  );
}
