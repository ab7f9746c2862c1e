/** EAN-13 numbers of the range 20 to 29, which is reserved for use within a shop: the data has no barcodes. */

const letters = 26;

/** From a stock code: five digits, and its letters as a number of base 26. `use` distinguishes further codes of one product. */
export function shopBarcode(sku: string, use = 0): string {
  const [, digits = '', suffix = ''] = /^(\d{5})([A-Z]{0,2})$/.exec(sku) ?? [];
  if (digits === '') throw new Error(`${sku} is no stock code`);
  const variant = [...suffix].reduce((value, letter) => value * letters + letter.charCodeAt(0) - 64, 0);
  const body = `20${digits}${String(variant).padStart(3, '0')}${String(use).padStart(2, '0')}`;
  return body + checkDigit(body);
}

/** Weights 1 and 3 alternate from the left; the whole sum is a multiple of ten. */
export function checkDigit(body: string): number {
  const weighted = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (weighted % 10)) % 10;
}
