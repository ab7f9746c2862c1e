import { useRead } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import { SearchSelect } from './search-select.tsx';

/** More keys are found by typing. */
const shownMax = 100;

/** Chooses one of the store's keys; only admins may list them, so others do without. */
export function KeySelect(chosen: { value: string | null; onChange: (id: string | null) => void }) {
  const isAdmin = useMay('admin');
  const { data } = useRead('listApiKeys', {}, { enabled: isAdmin });
  if (!isAdmin) return null;
  const keys = (data?.api_keys ?? []).map(({ id, name, last4 }) => ({ value: String(id), label: `${name} …${last4}` }));
  return <SearchSelect aria-label={t('API key')} placeholder={t('Any key')} clearable limit={shownMax} data={keys} {...chosen} />;
}
