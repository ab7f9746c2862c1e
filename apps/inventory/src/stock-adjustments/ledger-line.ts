/** A line for the ledger: as requested, and as planned over the current stock. */
import type { Movement } from './movement.ts';
import type { Source } from './stock-adjustment.ts';

/** The product as catalog describes it now; the row keeps its name and sku. */
export interface LedgerProduct {
  id: number;
  name: string;
  sku: string | null;
}

export interface Named {
  id: number;
  name: string;
}

export interface LedgerLine {
  product: LedgerProduct;
  /** Absent: receive when the stock rises, count when it falls (PATCH /products/bulk_update). */
  type?: string;
  movement: Movement;
  /** A count is evidence: its row is written even when nothing differs (D104). */
  evidence?: boolean;
  /** When it was counted, if earlier: what moved since then is added to it. A product has one such line. */
  since?: Date;
  location?: Named;
  /** The movement counts the stock at the location, not the whole stock. */
  countsLocation?: boolean;
  reason?: string | null;
  notes?: string | null;
  approvedBy?: Named;
  reconciliationId?: number;
  /** What the same request made of the product's price (D112). */
  prices?: { old: string; new: string };
  /** Who moved it, null for nobody; absent: the caller. */
  user?: Named | null;
  /** Where it came from; absent: what the caller is. */
  source?: Source;
  /** Names a movement that an event reports: it is written once. */
  movementKey?: string;
}

/** A line with the stock around it, as its row will say. */
export interface PlannedLine extends LedgerLine {
  adjustmentType: string;
  before: bigint;
  change: bigint;
  after: bigint;
  version: number;
}
