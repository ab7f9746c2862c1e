/** A day's report as it is counted from what a client reads sale by sale; it shares nothing with the code under test. */

/** GET /sales with GET /sales/:id/payments. */
export interface ReadSale {
  completed_at?: string;
  voided_at?: string;
  subtotal: string;
  discount_amount: string;
  tax_amount: string;
  total: string;
  green_echeck_surcharge?: string;
  payments: { method: string; amount: string }[];
  taxes: { name: string; rate: string; amount: string }[];
}

const sums = ['subtotal', 'discount_amount', 'tax_amount', 'total', 'green_echeck_surcharge'] as const;

/** The part of the report that sales make up. */
export function countedDay(date: string, timeZone: string, all: ReadSale[]) {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone });
  const isOn = (at: string | undefined) => at !== undefined && day.format(new Date(at)) === date;
  const sales = all.filter(({ completed_at }) => isOn(completed_at));
  const voids = all.filter(({ completed_at, voided_at }) => completed_at !== undefined && isOn(voided_at));
  const three = (of: (sale: ReadSale) => string[]): [string, string, string] => {
    const [sold, gone] = [sales, voids].map((some) => some.flatMap(of).reduce((sum, text) => sum + cents(text), 0n)) as [bigint, bigint];
    return [money(sold), money(gone), money(sold - gone)];
  };
  const columns = sums.map((name) => [name, three((sale) => [sale[name] ?? '0.00'])] as const);
  const part = (index: number, count: number) => ({ count, ...Object.fromEntries(columns.map(([name, all]) => [name, all[index]])) });
  const both = [...sales, ...voids];
  const taxes = named(both.flatMap((sale) => sale.taxes.map(({ name, rate }) => JSON.stringify([name, Number(rate), rate])))).map((key) => {
    const [name, , rate] = JSON.parse(key) as [string, number, string];
    const isIt = (tax: ReadSale['taxes'][number]) => tax.name === name && tax.rate === rate;
    const [sold, gone, net] = three((sale) => sale.taxes.filter(isIt).map(({ amount }) => amount));
    return { name, rate, sales: sold, voids: gone, net };
  });
  const tenders = named(both.flatMap((sale) => sale.payments.map(({ method }) => method))).map((method) => {
    const [taken, given_back, net] = three((sale) => sale.payments.filter((one) => one.method === method).map(({ amount }) => amount));
    return { method, taken, given_back, net };
  });
  return {
    sales: part(0, sales.length),
    voids: part(1, voids.length),
    net: part(2, sales.length - voids.length),
    taxes: taxes.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : Number(a.rate) - Number(b.rate))),
    tenders,
  };
}

const named = (keys: string[]): string[] => [...new Set(keys)].sort();

function cents(money: string): bigint {
  return BigInt(money.replace('.', ''));
}

function money(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
