/**
 * `npm run conform -- --base-url … --key … [--staff …] [--write]`: tries a running installation from outside against the contract,
 * rule by rule. Exit status 0: nothing broke a rule; 1: something did, or the run could not end; 2: wrong options.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { allChecks } from './checks/all.ts';
import { openContract } from './contract.ts';
import { isConformant, jsonReport, junitReport, textReport } from './report.ts';
import { conform, type Result } from './run.ts';
import type { Login } from './staff.ts';

interface Options {
  baseUrl?: string;
  key?: string;
  staff?: string;
  write?: boolean;
  webhookUrl?: string;
  only: string[];
  junit?: string;
  json?: string;
  maxCalls: number;
  maxSeconds: number;
  list?: boolean;
}

const wrongOptions = 2;

const program = new Command('npm run conform --')
  .description('Tries a running installation against the contract of the API, rule by rule. It only reads, unless --write is given.')
  .option('--base-url <url>', 'the API, with or without /api/v1 (default: $STORE_API_URL)')
  .option('--key <key>', 'API key; @file reads it from a file (default: $STORE_API_KEY, which no process list shows)')
  .option(
    '--staff <email:password>',
    "an admin's login, for rules about scopes, Test Mode, limits and deletion; @file reads it (default: $STORE_STAFF)",
  )
  .option('--write', 'also make products, customers, subscriptions and keys, and remove them at the end')
  .option('--webhook-url <url>', 'public HTTPS URL for subscriptions; nothing has to answer there')
  .option('--only <area>', 'only this area of the contract; repeat it for several', (area: string, list: string[]) => [...list, area], [])
  .option('--junit <file>', 'write a JUnit XML report')
  .option('--json <file>', 'write a JSON report')
  .option('--max-calls <n>', 'requests at most', whole, 3_000)
  .option('--max-seconds <n>', 'seconds at most, waits for the rate limit included', whole, 1_800)
  .option('--list', 'print the rules, and try nothing')
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : wrongOptions);
  })
  .action(run);

async function run(options: Options): Promise<void> {
  const checks = allChecks(openContract());
  const areas = [...new Set(checks.map(({ area }) => area))];
  const unknown = options.only.filter((area) => !areas.includes(area));
  if (unknown.length > 0) refuse(`${unknown.join(', ')} is no area; there are ${areas.join(', ')}`);
  if (options.list) {
    for (const { area, subject, sentence } of checks) console.log(`${area}\t${subject}\t${sentence}`);
    return;
  }
  const baseUrl = options.baseUrl ?? process.env.STORE_API_URL ?? refuse('--base-url is missing');
  const key = textOf(options.key ?? process.env.STORE_API_KEY ?? refuse('--key is missing'));
  const staff = options.staff ?? process.env.STORE_STAFF;
  const progress = openProgress();
  const report = await conform({
    baseUrl: apiUrl(baseUrl),
    key,
    ...(staff !== undefined && { staff: loginOf(textOf(staff)) }),
    write: options.write ?? false,
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
    ...(options.only.length > 0 && { chooses: ({ area }) => options.only.includes(area) }),
    callsMax: options.maxCalls,
    secondsMax: options.maxSeconds,
    wait: (seconds) => progress.wait(seconds),
    onResult: (done, of, result) => progress.show(done, of, result),
  });
  progress.stop();
  if (options.junit) writeFileSync(options.junit, junitReport(report));
  if (options.json) writeFileSync(options.json, jsonReport(report));
  process.stdout.write(textReport(report));
  process.exitCode = isConformant(report) && report.left.length === 0 ? 0 : 1;
}

function refuse(reason: string): never {
  process.stderr.write(`error: ${reason} (--help shows what there is)\n`);
  process.exit(wrongOptions);
}

const textOf = (text: string) => (text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').trim() : text);

function loginOf(text: string): Login {
  const colon = text.indexOf(':');
  if (colon < 1) refuse('--staff must be email:password');
  return { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

function apiUrl(text: string): string {
  const base = text.replace(/\/+$/, '');
  if (!URL.canParse(base)) refuse(`${text} is no URL`);
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

/** A bar on a terminal; elsewhere only waits are told, as they may be long. */
function openProgress() {
  const bar = process.stderr.isTTY
    ? new SingleBar({
        stream: process.stderr,
        format: 'Checking [{bar}] {value}/{total}  {failed} failed  {name}',
        barsize: 30,
        hideCursor: true,
        clearOnComplete: true,
      })
    : undefined;
  let failed = 0;
  return {
    show: (done: number, of: number, { check, outcome }: Result) => {
      if (outcome === 'failed') failed += 1;
      if (bar && !bar.isActive) bar.start(of, 0, { failed, name: '' });
      bar?.update(done, { failed, name: check.area });
    },
    wait: async (seconds: number) => {
      if (bar?.isActive) bar.update({ name: `waiting ${seconds} s for the rate limit` });
      else process.stderr.write(`Waiting ${seconds} s for the rate limit\n`);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    },
    stop: () => bar?.stop(),
  };
}

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
