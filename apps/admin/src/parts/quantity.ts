/** Quantities have up to three decimals. */
import { language } from '../language/t.ts';

const decimals = 3;
/** Thousands with spaces or apostrophes between them. */
const grouped = /^-?\d{1,3}(?:[\s'’]\d{3})+(?!\d)/;

/** What is left of a typed quantity, with the decimals that quantities have. */
export function lessOf(quantity: number | string = 0, taken = 0): number {
  return Number((Number(quantity) - taken).toFixed(decimals));
}

/** One more of it; what is no quantity stays, as it is told in its field. */
export function oneMore(quantity: number | string = ''): number | string {
  return quantity === '' || typeof quantity === 'number' ? lessOf(quantity, -1) : quantity;
}

/** Whether a field has text that is no quantity. */
export const isNoQuantity = (quantity: number | string = ''): boolean => quantity !== '' && typeof quantity !== 'number';

/**
 * A quantity as people type it, `12,5`, `-3` or `1 000`; undefined: it is none. So is `1,000` in English, of which nobody can tell whether
 * it is one or a thousand, and so are eight digits, which are a code.
 */
export function readQuantity(typed: string): number | undefined {
  const text = typed
    .trim()
    .replace(/^[-−]\s*/, '-')
    .replace(grouped, (whole) => whole.replace(/[\s'’]/g, ''));
  const match = /^(-?)(\d{0,7})(?:([.,])(\d{0,3}))?$/.exec(text);
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
