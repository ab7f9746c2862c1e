import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';

/** The store's stock locations as choices; none where its plan has none. */
export function useLocations(): { value: string; label: string }[] {
  const { has } = useStore();
  const { data } = useRead('listWarehouseLocations', {}, { enabled: has.locations });
  return (data?.warehouse_locations ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}
