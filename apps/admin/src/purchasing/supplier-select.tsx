import { useState } from 'react';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { SearchSelect } from '../parts/search-select.tsx';

const shownMax = 100;

interface SupplierSelectProps {
  value: number | null;
  /** Of the chosen one, which may be archived since. */
  name?: string;
  onChange: (id: number | null, name?: string) => void;
}

/** Chooses a supplier by its name, or none. */
export function SupplierSelect({ value, name, onChange }: SupplierSelectProps) {
  const [typed, setTyped] = useState('');
  // The chosen name is no search.
  const q = typed === name ? '' : typed;
  const { data } = useRead('listSuppliers', { query: { q, per_page: shownMax } }, { keepPrevious: true });
  const choices = new Map((data?.suppliers ?? []).map((one) => [String(one.id), one.name]));
  if (value !== null && name !== undefined) choices.set(String(value), name);
  return (
    <SearchSelect
      label={t('Supplier')}
      placeholder={t('None')}
      clearable
      onSearchChange={setTyped}
      maw={360}
      data={[...choices].map(([id, label]) => ({ value: id, label }))}
      value={value === null ? null : String(value)}
      onChange={(next) => (next === null ? onChange(null) : onChange(Number(next), choices.get(next)))}
    />
  );
}
