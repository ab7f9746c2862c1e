/** What staff send about stock locations, judged. */

import { choice, parseFields, requiredText } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { WarehouseLocationInput__Output } from '@store/protos/inventory/v1/WarehouseLocationInput.ts';

/** floor is the sales floor; every other place is back (decision D109). */
export const kinds = ['floor', 'back'] as const;

const fields = { name: requiredText(), kind: choice(kinds) };

/** The fields that were sent; a body without its wrapper is a 400 (decision D48). */
export function acceptLocation(input: WarehouseLocationInput__Output | null | undefined): { name?: string; kind?: string } {
  if (!input || (input.name === undefined && input.kind === undefined && !input.malformed?.length)) throw missing('warehouse_location');
  const { values, errors } = parseFields(fields, input);
  if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
  return { ...(values.name !== undefined && { name: values.name.trim() }), ...(values.kind !== undefined && { kind: values.kind }) };
}
