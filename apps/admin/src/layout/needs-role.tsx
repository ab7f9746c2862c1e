import { Outlet } from 'react-router';
import { type Role, useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Empty } from '../parts/states.tsx';
import { spoken } from '../parts/worded.ts';

/** Pages for a role; others see that instead of refusals. */
export function NeedsRole({ least }: { least: Role }) {
  const may = useMay(least);
  if (may) return <Outlet />;
  return (
    <Empty title={t('This page is not for your role')}>
      {t('It needs the role {least}. Ask an admin of the store.', { least: spoken(least) })}
    </Empty>
  );
}
