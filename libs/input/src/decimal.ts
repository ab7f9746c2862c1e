/** Decimals as text, never a float, rounded half-up, away from zero at the half (D41); and as whole numbers of the smallest unit. */

export const moneyScale = 2;
export const quantityScale = 3;
/** Of what one unit costs: 0.0125 a piece is a real cost (D268). */
export const costScale = 4;
/** Money stays below 10^12 and quantities below 10^11, what NUMERIC(14,2) and NUMERIC(14,3) hold (D166). */
export const moneyMax = 10n ** 14n;
export const quantityMax = 10n ** 14n;

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Longer texts are not valid quantities and only cost time. */
const lengthMax = 60;

/** The number times 10^scale, rounded half-up; undefined when the text is not a decimal number. */
export function scaled(text: string, scale: number): bigint | undefined {
  const trimmed = text.trim();
  const match = trimmed.length <= lengthMax ? pattern.exec(trimmed) : null;
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const shift = scale - fraction.length + Number(exponent);
  const magnitude = shift >= 0 ? digits * 10n ** BigInt(shift) : roundHalfUp(digits, 10n ** BigInt(-shift));
  return sign === '-' ? -magnitude : magnitude;
}

function roundHalfUp(value: bigint, divisor: bigint): bigint {
  return (value * 2n + divisor) / (divisor * 2n);
}

/** A column's text times 10^scale. */
export function unitsOf(text: string, scale: number): bigint {
  const value = scaled(text, scale);
  if (value === undefined) throw new Error(`not a decimal: ${text}`);
  return value;
}

export const cents = (money: string): bigint => unitsOf(money, moneyScale);
export const moneyText = (value: bigint): string => unscaled(value, moneyScale);
export const thousandths = (quantity: string): bigint => unitsOf(quantity, quantityScale);
export const quantityText = (value: bigint): string => unscaled(value, quantityScale);

/** A value at one scale rounded half-up, away from zero at the half, to a smaller one: 12345n at 4 is 123n at 2. */
export function rounded(value: bigint, from: number, to: number): bigint {
  const divisor = 10n ** BigInt(from - to);
  return value < 0n ? -roundHalfUp(-value, divisor) : roundHalfUp(value, divisor);
}

/** 1050n at scale 2 is "10.50"; there is no "-0.00". */
export function unscaled(value: bigint, scale: number): string {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return negative ? `-${text}` : text;
}

/** Text with two decimals or more without the zeros behind the second one: "9.9750" is "9.975", "13.0000" is "13.00". */
export function shortened(text: string): string {
  const shortest = text.indexOf('.') + 3;
  let end = text.length;
  while (end > shortest && text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

/** A column's numeric text with exactly two decimals: "3.4" is "3.40". */
export const twoDecimals = (numeric: string | number): string => moneyText(cents(String(numeric)));
