/**
 * `npm run conform -- [url] …`: tries a running installation from outside against the contract, rule by rule; without a URL the
 * demo store. Exit status 0: nothing broke a rule; 1: something did, or the run could not end; 2: wrong options.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import type { DemoFile } from '../demo/demo-store.ts';
import { dataDir, readJson } from '../local/data-dir.ts';
import { wholeNumber } from '../local/whole-number.ts';
import { openContract } from './contract.ts';
import { allRules } from './rules/all.ts';
import { conform, isConformant, type Result, textReport } from './run.ts';

interface Options {
  key?: string;
  staff?: string;
  write: boolean;
  only: string[];
  maxCalls: number;
  list?: boolean;
}

const wrongOptions = 2;

const program = new Command('npm run conform --')
  .description('Tries a running installation against the contract of the API, rule by rule, and leaves nothing behind.')
  .argument('[url]', 'the API, with or without /api/v1 (default: $STORE_API_URL, or the demo store of npm start)')
  .option('--key <key>', 'API key; @file reads it from a file (default: $STORE_API_KEY, or that of the demo store)')
  .option(
    '--staff <email:password>',
    "an admin's login, for rules of scopes and keys; @file reads it (default: $STORE_STAFF, or the demo's)",
  )
  .option('--write', 'also send writes, all of which must be refused', false)
  .option('--only <area>', 'only this area of the contract; repeat it for several', (area: string, list: string[]) => [...list, area], [])
  .option('--max-calls <n>', 'requests at most', wholeNumber(1, 1_000_000), 3_000)
  .option('--list', 'print the rules, and try nothing')
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongOptions))
  .action(run);

async function run(url: string | undefined, options: Options): Promise<void> {
  const rules = allRules(openContract());
  const areas = [...new Set(rules.map(({ area }) => area))];
  const unknown = options.only.filter((area) => !areas.includes(area));
  if (unknown.length > 0) refuse(`${unknown.join(', ')} is no area; there are ${areas.join(', ')}`);
  if (options.list) {
    for (const { area, subject, sentence } of rules) console.log(`${area}\t${subject}\t${sentence}`);
    return;
  }
  const named = url ?? process.env.STORE_API_URL;
  const demo = named === undefined ? readJson<DemoFile>(path.join(dataDir(), 'demo.json')) : undefined;
  const baseUrl = named ?? demo?.base_url ?? refuse('a URL is missing, and no demo store is known');
  const key = options.key ?? process.env.STORE_API_KEY ?? demo?.api_key ?? refuse('--key is missing');
  const staff = options.staff ?? process.env.STORE_STAFF ?? (demo && `${demo.staff.email}:${demo.staff.password}`);
  const report = await conform({
    baseUrl: apiUrl(baseUrl),
    key: textOf(key),
    ...(staff !== undefined && { staff: loginOf(textOf(staff)) }),
    write: options.write,
    ...(options.only.length > 0 && { chooses: ({ area }) => options.only.includes(area) }),
    callsMax: options.maxCalls,
    wait: async (seconds) => {
      process.stderr.write(`Waiting ${seconds} s for the rate limit\n`);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    },
    onResult: announce,
  });
  process.stdout.write(textReport(report));
  process.exitCode = isConformant(report) ? 0 : 1;
}

const announceEvery = 100;

function announce(done: number, of: number, { rule }: Result): void {
  if (done % announceEvery === 0) process.stderr.write(`${done} of ${of} rules tried: ${rule.area}\n`);
}

function refuse(reason: string): never {
  process.stderr.write(`error: ${reason} (--help shows what there is)\n`);
  process.exit(wrongOptions);
}

const textOf = (text: string) => (text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').trim() : text);

function loginOf(text: string): { email: string; password: string } {
  const colon = text.indexOf(':');
  if (colon < 1) refuse('--staff must be email:password');
  return { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

function apiUrl(text: string): string {
  const base = text.replace(/\/+$/, '');
  if (!URL.canParse(base)) refuse(`${text} is no URL`);
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
