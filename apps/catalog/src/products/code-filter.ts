/** The filters sku and barcode of GET /products: exact codes, separated by commas (D253). */
import { Problem } from '@store/problem';

const codesMax = 100;

/**
 * The codes that a filter looks for; undefined: no filter. The text as a whole is among them, so that a code that itself holds a
 * comma is found.
 */
export function codesOf(name: 'sku' | 'barcode', text: string | undefined): string[] | undefined {
  const whole = text?.trim();
  if (!whole) return undefined;
  const codes = new Set(whole.split(',').flatMap((code) => code.trim() || []));
  if (codes.size > codesMax) throw new Problem('invalid', `at most ${codesMax} ${name}s per request`);
  return [...codes.add(whole)].filter((code) => !code.includes('\0'));
}

/** Through the unique index of skus. */
export const skuCondition = (codes: string) => `p.sku = any (${codes}::text[])`;

/** The main barcode, an additional one or that of a weight preset: each through an index of its own. */
export function barcodeCondition(codes: string): string {
  return `p.id in (select q.id from catalog.products q where q.store_id = $1 and q.deleted_at is null and q.barcode = any (${codes}::text[])
    union select q.id from catalog.products q where q.store_id = $1 and q.deleted_at is null and q.additional_barcodes <> '[]'
      and jsonb_path_query_array(q.additional_barcodes, '$[*].code') ?| ${codes}::text[]
    union select q.id from catalog.product_weight_presets w join catalog.products q on q.id = w.product_id and q.store_id = $1
      where w.store_id = $1 and w.barcode = any (${codes}::text[]))`;
}
