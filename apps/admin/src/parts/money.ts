/** Money is text with two decimals; it is counted in cents, as bigint, and never as a float. */
import { language, locale } from '../language/t.ts';
import { ungrouped } from './ungrouped.ts';

/** `-12.5` → -1250n; undefined when the text is no amount. */
export function centsOf(text: string): bigint | undefined {
  const match = /^(-)?(\d+)?(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || (match[2] === undefined && !match[3])) return undefined;
  const cents = BigInt(match[2] ?? '0') * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -cents : cents;
}

export function textOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `1234.5` → `£1,234.50`, and in French `1 234,50 £`; what is no amount is shown as it is. */
export function shownMoney(amount: string | number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined) return '–';
  const cents = centsOf(typeof amount === 'number' ? amount.toFixed(2) : amount);
  return cents === undefined ? String(amount) : inCurrency(cents, '', currency);
}

/** `more`: decimals after the cents. */
function inCurrency(cents: bigint, more: string, currency: string): string {
  const [whole, rest] = textOf(cents < 0n ? -cents : cents).split('.');
  const sign = cents < 0n ? '−' : '';
  const digits = BigInt(whole!).toLocaleString(locale());
  return language === 'en' ? `${sign}${currency}${digits}.${rest}${more}` : `${sign}${digits},${rest}${more}\u00a0${currency}`;
}

const unitCostDecimals = 4;

/** A unit cost of the API as text: with two decimals, or with four where it has more. */
export function unitCostText(cost: number): string {
  return cost.toFixed(unitCostDecimals).replace(/00$/, '');
}

/** `shownMoney` of a unit cost, with all its decimals. */
export function shownUnitCost(cost: number, currency: string): string {
  const text = unitCostText(cost);
  const centsEnd = text.indexOf('.') + 3;
  return inCurrency(centsOf(text.slice(0, centsEnd))!, text.slice(centsEnd), currency);
}

/** The API's `12.50` as a field shows it, in French `12,50`; what is no amount as it is. */
export function fieldText(amount: string): string {
  return language === 'en' || readMoney(amount) === undefined ? amount : amount.replace('.', ',');
}

/** `fieldText` of a unit cost. */
export function unitCostField(cost: string): string {
  return language === 'en' || readUnitCost(cost) === undefined ? cost : cost.replace('.', ',');
}

/** A price times a quantity of up to three decimals, rounded half up to cents. */
export function timesQuantity(cents: bigint, quantity: number): bigint {
  const thousandths = cents * BigInt(Math.round(quantity * 1000));
  return thousandths < 0n ? -((-thousandths + 500n) / 1000n) : (thousandths + 500n) / 1000n;
}

/** Of a point, and in French and Spanish of a comma, nobody can tell whether it parts decimals or thousands. */
const mayBeDecimals = (whole: string) => (language === 'en' ? /^\d+\.\d+$/ : /^\d+[.,]\d+$/).test(whole);

/** Without the sign of the currency before or behind it. Within it, as in `12€50`, it parts decimals. */
const withoutSign = (typed: string): string =>
  typed
    .trim()
    .replace(/^([-−]?\s*)\p{Sc}/u, '$1')
    .replace(/\p{Sc}$/u, '')
    .trim();

/**
 * An amount as people type it, `12,50`, `£1,012.50` or `1 012,50`, as the text that the API takes; undefined: it is none, as
 * `12.345`, of which nobody can tell whether it is twelve or twelve thousand.
 */
export function readMoney(typed: string): string | undefined {
  const text = ungrouped(withoutSign(typed));
  const match = /^(-?)(\d{1,3}(?:([.,])\d{3})+|\d+)?(?:([.,])(\d{0,2}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', thousands, point, decimals = ''] = match;
  if (whole === '' && decimals === '') return undefined;
  if (thousands !== undefined && (thousands === point || new Set(whole.replace(/\d/g, '')).size > 1)) return undefined;
  if (/^0\D/.test(whole) || (mayBeDecimals(whole) && point === undefined)) return undefined;
  const cents = centsOf(`${whole.replace(/\D/g, '') || '0'}.${decimals}`);
  return cents === undefined ? undefined : textOf(sign ? -cents : cents);
}

/** `readMoney` of a unit cost: `0.0125` and `12.3450` are amounts too. */
export function readUnitCost(typed: string): string | undefined {
  const text = withoutSign(typed);
  const [, sign, less, whole, decimals] = /^(-?)(?:0?[.,](\d{3,4})|(\d+)[.,](\d{4}))$/.exec(text) ?? [];
  return sign === undefined ? readMoney(typed) : `${sign}${whole ?? '0'}.${(less ?? decimals)!.padEnd(unitCostDecimals, '0')}`;
}
