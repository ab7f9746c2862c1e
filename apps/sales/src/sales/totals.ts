/** The totals of a sale (D163, D216, D217): whole cents, and rounding in one place, half-up. */
import { cents, moneyMax, moneyScale, moneyText, quantityScale, rounded, scaled, thousandths, unscaled } from '@store/input';
import type { KeptModifier } from './sale-line-item.ts';

/** Percent with four decimals: 9.975 is a real rate. */
const rateScale = 4;
/** Percent is a hundredth. */
const percentScale = 2;

export const fitsMoney = (value: bigint): boolean => value < moneyMax && value > -moneyMax;

interface PricedLine {
  quantity: string;
  unit_price: string;
  modifiers: Pick<KeptModifier, 'quantity' | 'price_adjustment'>[];
}

/** round(quantity × (unit_price + Σ modifier quantity × price_adjustment)), in cents; removed modifiers count as sent. */
export function grossOf({ quantity, unit_price, modifiers }: PricedLine): bigint {
  const adjustments = modifiers.reduce((sum, one) => sum + thousandths(one.quantity) * cents(one.price_adjustment), 0n);
  const each = cents(unit_price) * 10n ** BigInt(quantityScale) + adjustments;
  return rounded(thousandths(quantity) * each, 2 * quantityScale + moneyScale, moneyScale);
}

/** One component of the tax on a taxable amount. */
function taxOf(rate: string, taxable: bigint): bigint {
  return rounded(scaled(rate, rateScale)! * taxable, rateScale + percentScale + moneyScale, moneyScale);
}

/** The four sums of a sale, as its columns hold them. */
export interface Totals {
  subtotal: string;
  discount_amount: string;
  tax_amount: string;
  total: string;
}

/**
 * subtotal = Σ line total + its discount, which is what the line was before its discount; each component of the tax is
 * rounded by itself. Undefined when a sum outgrows its column.
 */
export function totalsOf(
  lines: { total: string; discount_amount: string }[],
  saleDiscount: string,
  taxRates: string[],
): Totals | undefined {
  const sum = (values: string[]) => values.reduce((all, value) => all + cents(value), 0n);
  const lineDiscounts = sum(lines.map((line) => line.discount_amount));
  const subtotal = sum(lines.map((line) => line.total)) + lineDiscounts;
  const discount = lineDiscounts + cents(saleDiscount);
  const taxable = subtotal - discount;
  const tax = taxRates.reduce((all, rate) => all + taxOf(rate, taxable), 0n);
  const total = taxable + tax;
  if (![subtotal, discount, tax, total].every(fitsMoney)) return undefined;
  return { subtotal: moneyText(subtotal), discount_amount: moneyText(discount), tax_amount: moneyText(tax), total: moneyText(total) };
}

/** The components of the tax of a sale, as they were added up. */
export function taxAmounts(sale: Pick<Totals, 'subtotal' | 'discount_amount'> & { tax_rates: string[] }): string[] {
  return sale.tax_rates.map((rate) => moneyText(taxOf(rate, cents(sale.subtotal) - cents(sale.discount_amount))));
}

interface TaxBlock {
  mode: string;
  rate: string;
  gstRate: string;
  pstRate: string;
}

interface TaxNames {
  mode: string;
  name: string;
  gstName: string;
  pstName: string;
}

/** Names of the components, beside their rates. */
export function taxNamesOf({ mode, name, gstName, pstName }: TaxNames): string[] {
  return mode === 'single' ? [name || 'Tax'] : mode === 'split' ? [gstName || 'GST', pstName || 'PST'] : [];
}

/** Rates of the components by the store's mode (D217); no rate is 0. Plan features do not matter. */
export function taxRatesOf({ mode, rate, gstRate, pstRate }: TaxBlock): string[] {
  const rates = mode === 'single' ? [rate] : mode === 'split' ? [gstRate, pstRate] : [];
  return rates.map((text) => unscaled(scaled(text, rateScale) ?? 0n, rateScale));
}
