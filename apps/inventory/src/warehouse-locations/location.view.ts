/** Rows of warehouse_locations to messages. */
import type { WarehouseLocation } from '@store/protos/inventory/v1/WarehouseLocation.ts';

export interface LocationRow {
  id: string;
  name: string;
  kind: string;
}

/** The columns of `LocationRow`. */
export const locationColumns = 'id, name, kind';

export function locationView(row: LocationRow): { id: number; name: string; kind: string } & WarehouseLocation {
  return { id: Number(row.id), name: row.name, kind: row.kind };
}
