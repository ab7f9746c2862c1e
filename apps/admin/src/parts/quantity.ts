/** Quantities have up to three decimals. */
import { language } from '../language/t.ts';
import { ungrouped } from './ungrouped.ts';

const decimals = 3;

/** What is left of a typed quantity, with the decimals that quantities have. */
export function lessOf(quantity: number | string = 0, taken = 0): number {
  return Number((Number(quantity) - taken).toFixed(decimals));
}

/** Whether a field has text that is no quantity. */
export const isNoQuantity = (quantity: number | string = ''): boolean => quantity !== '' && typeof quantity !== 'number';

/** One more of it. What is no quantity stays: its field says so. */
export function oneMore(quantity: number | string = ''): number | string {
  return isNoQuantity(quantity) ? quantity : lessOf(quantity, -1);
}

/**
 * A quantity as people type it, `12,5`, `-3` or `1 000`; undefined: it is none. So is `1,000` in English, of which nobody can tell whether
 * it is one or a thousand, and so are eight digits, which are a code.
 */
export function readQuantity(typed: string): number | undefined {
  const match = /^(-?)(\d{0,7})(?:([.,])(\d{0,3}))?$/.exec(ungrouped(typed));
  if (!match) return undefined;
  const [, sign, whole = '', point, rest = ''] = match;
  if (whole === '' && rest === '') return undefined;
  const own = language === 'en' ? '.' : ',';
  const isOfTwo = point !== undefined && point !== own && rest.length === decimals && /^[1-9]\d{0,2}$/.test(whole);
  return isOfTwo ? undefined : Number(`${sign}${whole || '0'}.${rest || '0'}`);
}

/** As a field shows it, in French `12,5`. */
export function quantityText(quantity: number | string): string {
  const text = String(quantity);
  return language === 'en' || typeof quantity !== 'number' ? text : text.replace('.', ',');
}
