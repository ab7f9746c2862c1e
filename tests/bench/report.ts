/** The table of a run. */
import type { Measured } from './measure.ts';

export function printReport(measured: Measured[]): void {
  const names = [...new Set(measured.flatMap(({ cpu }) => Object.keys(cpu)))].filter((name) =>
    measured.some(({ cpu }) => (cpu[name] ?? 0) >= 0.005),
  );
  console.log(`\n| scenario | connections | requests/s | p50 ms | p99 ms | CPU ms/request | ${names.join(' | ')} | unexpected |`);
  console.log(`|---|---|---|---|---|---|${names.map(() => '---|').join('')}---|`);
  for (const row of measured) {
    const cpu = names.map((name) => number(row.cpu[name] ?? 0, 2));
    const cells = [
      row.name,
      row.connections,
      number(row.perSecond, row.perSecond < 50 ? 1 : 0),
      number(row.p50Ms, 2),
      number(row.p99Ms, 2),
      number(row.cpuTotal, 2),
      ...cpu,
      row.unexpected,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const ratios = ratiosOf(measured);
  if (ratios.length === 0) return;
  console.log('\n| ratio | value | wanted |\n|---|---|---|');
  for (const { name, value, wanted } of ratios) console.log(`| ${name} | ${number(value, 2)} | ${wanted} |`);
}

interface Ratio {
  name: string;
  value: number;
  wanted: string;
}

const writes = [
  { name: 'POST /stock_adjustments', wanted: '≥ 0.35 at 16' },
  { name: 'POST /products', wanted: '≥ 0.5 at 16' },
  { name: 'bulk_upsert of 1,000 new rows', wanted: '≥ 0.4 at 16' },
];

type Of = (row: Measured) => number;
const perSecond: Of = (row) => row.perSecond;
const p50: Of = (row) => row.p50Ms;
const cpu: Of = (row) => row.cpuTotal;
const [list, floorList] = ['list of 25 of 5,000', 'floor A: list of 25 of 5,000'];

/** What is compared: [name, above, below, figure, wanted]. */
const compared: [name: string, above: string, below: string, figure: Of, wanted: string][] = [
  ['list ÷ floor A, requests/s', list, floorList, perSecond, '≥ 1.0 at 16'],
  ['one product ÷ floor B, requests/s', 'one product', 'floor B: one product', perSecond, '≥ 0.75 at 16'],
  ...writes.map(({ name, wanted }): (typeof compared)[number] => [
    `${name} ÷ floor C, requests/s`,
    name,
    `floor C: ${name}`,
    perSecond,
    wanted,
  ]),
  ...writes.slice(0, 2).map(({ name }): (typeof compared)[number] => [`${name} ÷ floor C, p50`, name, `floor C: ${name}`, p50, '≤ 3 at 1']),
  ['list of 100,000 ÷ 5,000, p50', 'list of 25 of 100,000', list, p50, '≤ 1.3'],
  ['category of 100,000 ÷ list of 100,000, requests/s', 'category of 100,000', 'list of 25 of 100,000', perSecond, '≥ 0.75 at 16'],
  ['search in 100,000 ÷ 5,000, p50', 'search in 100,000', 'search in 5,000', p50, '≤ 3'],
  ['customers: list of 90,000 ÷ 2,000, p50', 'customers: list of 25 of 90,000', 'customers: list of 25 of 2,000', p50, '≤ 1.5'],
  ['customers: search in 90,000 ÷ 2,000, p50', 'customers: search in 90,000', 'customers: search in 2,000', p50, '≤ 3'],
  ['429 ÷ list, CPU', 'refused with 429', list, cpu, '< 1'],
];

/** The ratios that must be met, for every measured number of connections. */
function ratiosOf(measured: Measured[]): Ratio[] {
  return [...new Set(measured.map(({ connections }) => connections))].flatMap((connections) => {
    const of = (scenario: string) => measured.find((row) => row.name === scenario && row.connections === connections);
    return compared.flatMap(([name, above, below, figure, wanted]) => {
      const [one, other] = [of(above), of(below)];
      return one && other ? [{ name: `${name}, ${connections} connections`, value: figure(one) / figure(other), wanted }] : [];
    });
  });
}

function number(value: number, digits: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
