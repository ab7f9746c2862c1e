/** Filters and pages of a list are in the address, so that a reload and the back button keep them. */
import { useSearchParams } from 'react-router';

export function useListState<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;
  const change = (changes: Record<string, string>, replace: boolean) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace },
    );
  /** Another filter begins at its first page. */
  const setFilter = (name: Name, value: string) => change({ [name]: value, page: '' }, true);
  return {
    page: Math.max(1, Number(params.get('page')) || 1),
    filters,
    setPage: (page: number) => change({ page: page === 1 ? '' : String(page) }, false),
    setFilter,
    /** For a field that chooses one or none. */
    choice: (name: Name) => ({ value: filters[name] || null, onChange: (value: string | null) => setFilter(name, value ?? '') }),
  };
}
