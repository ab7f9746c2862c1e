/** The table of a run. */
import type { Measured } from './load.ts';

export function printReport(measured: Measured[]): void {
  const names = [...new Set(measured.flatMap(({ cpu }) => Object.keys(cpu)))].filter((name) =>
    measured.some(({ cpu }) => (cpu[name] ?? 0) >= 0.005),
  );
  console.log(`\n| scenario | connections | requests/s | p50 ms | p99 ms | CPU ms/request | ${names.join(' | ')} | unexpected |`);
  console.log(`|---|---|---|---|---|---|${names.map(() => '---|').join('')}---|`);
  for (const row of measured) {
    const cpu = names.map((name) => number(row.cpu[name] ?? 0, 2));
    const cells = [
      row.scenario,
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
  printCalls(measured);
  const ratios = ratiosOf(measured);
  if (ratios.length === 0) return;
  console.log('\n| ratio | value | wanted |\n|---|---|---|');
  for (const { name, value, wanted } of ratios) console.log(`| ${name} | ${number(value, 2)} | ${wanted} |`);
}

/** What a request sets in motion: the numbers that CPU time follows from. */
function printCalls(measured: Measured[]): void {
  console.log('\nPer request, consumers and relays included:\n');
  console.log('| scenario | connections | SQL statements | transactions | WAL fsyncs | gRPC calls | Kafka produces | offset commits |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { scenario, connections, calls } of measured) {
    const { statements, transactions, fsyncs, calls: grpc, produces, offsetCommits } = calls;
    const cells = [statements, transactions, fsyncs, grpc, produces, offsetCommits].map((value) => number(value, 1));
    console.log(`| ${[scenario, connections, ...cells].join(' | ')} |`);
  }
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

/** The ratios that must be met, for every measured number of connections. */
function ratiosOf(measured: Measured[]): Ratio[] {
  return [...new Set(measured.map(({ connections }) => connections))].flatMap((connections) => {
    const of = (scenario: string) => measured.find((row) => row.scenario === scenario && row.connections === connections);
    const compare = (name: string, above: number | undefined, below: number | undefined, wanted: string): Ratio[] =>
      above === undefined || below === undefined ? [] : [{ name: `${name}, ${connections} connections`, value: above / below, wanted }];
    return [
      ...compare(
        'list ÷ floor A, requests/s',
        of('list of 25 of 5,000')?.perSecond,
        of('floor A: list of 25 of 5,000')?.perSecond,
        '≥ 1.0 at 16',
      ),
      ...compare('one product ÷ floor B, requests/s', of('one product')?.perSecond, of('floor B: one product')?.perSecond, '≥ 0.75 at 16'),
      ...writes.flatMap(({ name, wanted }) =>
        compare(`${name} ÷ floor C, requests/s`, of(name)?.perSecond, of(`floor C: ${name}`)?.perSecond, wanted),
      ),
      ...writes
        .slice(0, 2)
        .flatMap(({ name }) => compare(`${name} ÷ floor C, p50`, of(name)?.p50Ms, of(`floor C: ${name}`)?.p50Ms, '≤ 3 at 1')),
      ...compare('list of 100,000 ÷ 5,000, p50', of('list of 25 of 100,000')?.p50Ms, of('list of 25 of 5,000')?.p50Ms, '≤ 1.3'),
      ...compare(
        'category of 100,000 ÷ list of 100,000, requests/s',
        of('category of 100,000')?.perSecond,
        of('list of 25 of 100,000')?.perSecond,
        '≥ 0.75 at 16',
      ),
      ...compare('search in 100,000 ÷ 5,000, p50', of('search in 100,000')?.p50Ms, of('search in 5,000')?.p50Ms, '≤ 3'),
      ...compare(
        'customers: list of 90,000 ÷ 2,000, p50',
        of('customers: list of 25 of 90,000')?.p50Ms,
        of('customers: list of 25 of 2,000')?.p50Ms,
        '≤ 1.5',
      ),
      ...compare(
        'customers: search in 90,000 ÷ 2,000, p50',
        of('customers: search in 90,000')?.p50Ms,
        of('customers: search in 2,000')?.p50Ms,
        '≤ 3',
      ),
      ...compare('429 ÷ list, CPU', of('refused with 429')?.cpuTotal, of('list of 25 of 5,000')?.cpuTotal, '< 1'),
    ];
  });
}

function number(value: number, digits: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
