import { thousandths } from '@store/input';
import { Problem } from '@store/problem';
import type { LineProduct__Output, StockProduct__Output } from '@store/protos/catalog/v1.ts';
import type { Call } from '@store/rpc';
import type { Purchasing } from '../purchasing.ts';
import type { LineRow } from './order-line.ts';

/** A line keeps these of its product (D244). */
export interface OrderProduct {
  id: number;
  name: string;
  sku: string | null;
  unitType: string;
  isBundle: boolean;
  hasVariations: boolean;
}

/** Those of the ids that are the store's own and not deleted. */
export async function orderProducts(app: Purchasing, call: Call, ids: number[]): Promise<Map<number, OrderProduct>> {
  if (ids.length === 0) return new Map();
  const { products } = await app.catalog.GetStockProducts({ ids: [...new Set(ids)] }, call);
  return new Map((products ?? []).map(productOf).map((product) => [product.id, product]));
}

/** Lines that are to become products, and of which something has arrived. */
function becomeProducts(lines: LineRow[]): LineRow[] {
  return lines.filter((line) => line.match_status === 'create_new' && thousandths(line.quantity_received) > 0n);
}

/** Makes their products, by the line's id: the same line gets the same product however often it is asked for (D243). */
export async function createProducts(app: Purchasing, call: Call, lines: LineRow[]): Promise<Map<number, OrderProduct>> {
  const wanted = becomeProducts(lines);
  if (wanted.length === 0) return new Map();
  const request = wanted.map((line) => ({
    line_id: line.id,
    name: line.product_name ?? '',
    sku: line.sku ?? undefined,
    unit_type: line.unit_type,
  }));
  const { products } = await app.catalog.CreateReceivedProducts({ lines: request }, call);
  return new Map((products ?? []).map((line: LineProduct__Output) => [Number(line.line_id), productOf(line.product!)]));
}

function productOf(product: StockProduct__Output): OrderProduct {
  return {
    id: Number(product.id),
    name: product.name ?? '',
    sku: product.sku ?? null,
    unitType: product.unit_type ?? 'unit',
    isBundle: product.product_type === 'bundle',
    hasVariations: product.has_variations ?? false,
  };
}

/** The line linked to the product, with its name and sku as they are now. */
export function matchedTo(line: LineRow, { id, name, sku, isBundle }: OrderProduct): LineRow {
  return { ...line, product_id: id, product_name: name, sku, bundle: isBundle, match_status: 'matched' };
}

/** The lines that became products, matched to them. A line that came to be one after its product was asked for has lost a race. */
export function matchCreated(lines: LineRow[], created: Map<number, OrderProduct>): LineRow[] {
  const waiting = new Set(becomeProducts(lines));
  return lines.map((line) => {
    if (!waiting.has(line)) return line;
    const product = created.get(line.id);
    if (!product) throw new Problem('conflict', 'The order changed meanwhile', { details: `line ${line.id} is to become a product now` });
    return matchedTo(line, product);
  });
}
