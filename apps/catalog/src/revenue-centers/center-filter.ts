/** ?revenue_center_id of the lists. */
import { parseId } from '@store/input';

/** A whole number that no id can be, such as 0, is the id of no revenue center and finds nothing. */
const noCenter = 0;

/** The revenue center to filter by; undefined: what is no whole number is ignored (D54). */
export function centerFilter(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?\d+$/.test(trimmed) ? (parseId(trimmed) ?? noCenter) : undefined;
}
