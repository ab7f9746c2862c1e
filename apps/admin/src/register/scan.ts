import { quantityText, readQuantity } from '../parts/quantity.ts';
import { setText } from '../parts/scanner.ts';

/** A code as it was entered; `3*` before it means three of it, `1,5*` that much of what is weighed. */
export interface Scan {
  /** Of this scan alone: the same code may be entered twice. */
  id: string;
  code: string;
  quantity: number;
  /** The code with what stood before it in the search. */
  whole?: string;
  /** It was typed, and may be a name. */
  mayBeName?: boolean;
}

/** Of `1,000*` nobody can tell whether it is one or a thousand: it is a code that nothing has, which the clerk is told. */
export function scanFrom(text: string): Omit<Scan, 'id' | 'whole' | 'mayBeName'> | undefined {
  const [, times = '1', code] = /^(?:(\d{1,4}(?:[.,]\d{1,3})?)\*)?(.+)$/.exec(text.trim()) ?? [];
  if (code === undefined || code.trim() === '') return undefined;
  const quantity = readQuantity(times);
  return quantity === undefined ? { code: text.trim(), quantity: 1 } : { code: code.trim(), quantity };
}

/** As it was entered. */
export const enteredText = ({ code, quantity }: Scan): string => (quantity === 1 ? code : `${quantityText(quantity)}*${code}`);

/** Takes a `3*` out of the search: what is touched next has this quantity, and what comes behind a sale does not. */
export function takeQuantity(search: HTMLInputElement | null): number | undefined {
  const [, times] = /^\s*(\d{1,4}(?:[.,]\d{1,3})?)\*\s*$/.exec(search?.value ?? '') ?? [];
  if (times === undefined) return undefined;
  setText(search!, '');
  return readQuantity(times) ?? 0;
}
