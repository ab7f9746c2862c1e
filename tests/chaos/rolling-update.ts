/**
 * `npm run rolling -- --rate 200 --rounds 2`: replaces every process under load and checks the result. It exits with 1 when a request
 * failed or a rule was broken.
 */
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { releases } from '../faults/releases/installation.ts';
import { type Run, runCommand, wholeNumber } from '../kit/command.ts';
import { openedIn } from '../kit/opened.ts';
import { type RollingResult, runRolling } from './run-rolling.ts';
import { openPlainServers } from './servers.ts';

interface Options {
  seed: number;
  rounds: number;
  rate: number;
  writes: number;
  keys: number;
  rows: number;
  rest: number;
  from?: string;
}

const seedMax = 2 ** 31;
/** As long as in production. */
const notReadyMs = 5_000;

const command = new Command('npm run rolling --')
  .description('Replaces every process of the whole product in turn under load, catalog by another version too, then judges the history.')
  .option('--seed <n>', 'what decides the load; a random one when absent', wholeNumber, randomInt(seedMax))
  .option('--rounds <n>', 'how often each process is replaced', wholeNumber, 2)
  .option('--rate <n>', 'requests per second', wholeNumber, 200)
  .option('--writes <share>', 'part of them that are writes, 0.05 to 0.95: most of what integrations and tills send are reads', share, 0.2)
  .option('--keys <n>', 'API keys that the load uses', wholeNumber, 80)
  .option('--rows <n>', 'of another store in the table of products, on which the next version builds an index', wholeNumber, 1_000_000)
  .option('--rest <seconds>', 'how long nothing may get less before all is at rest', wholeNumber, 60)
  .option('--from <folder>', 'a checkout of the last release with its packages installed, from whose installation the update begins');

await runCommand(command, rolling);

async function rolling({ log, signal }: Run, { rest, from: folder, ...load }: Options): Promise<void> {
  const parts = new AsyncDisposableStack();
  try {
    log(`Seed ${load.seed}. Starting PostgreSQL, Redis and Kafka`);
    const env = await openPlainServers(openedIn(parts));
    const from = folder === undefined ? undefined : { version: releases.at(-1)!, folder };
    report(await runRolling({ ...load, from, notReadyMs, restMaxMs: rest * 1_000, env, log, signal }));
  } finally {
    await parts.disposeAsync();
  }
}

function report({ history, violations, failures, rolled, requests, skipped, seconds }: RollingResult): void {
  const of = (result: string) => history.writes.filter((write) => write.result === result).length;
  const longest = (figures: number[]) => `${Math.max(...figures)} ms at most`;
  console.log(
    [
      `requests       ${requests} in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)}/s), ${skipped} not begun as too many were under way, ${failures.length} kinds of failure`,
      `writes         ${history.writes.length} (${of('ok')} ok, ${of('fail')} refused, ${of('info')} in doubt)`,
      `events         ${history.emitted.length} committed, ${history.carried.length} messages in Kafka`,
      `replaced       ${rolled.length} processes: ready after ${longest(rolled.map(({ readyMs }) => readyMs))}, stopped within ${longest(rolled.map(({ stopMs }) => stopMs))}`,
    ].join('\n'),
  );
  for (const failure of failures) console.log(`FAILED  ${failure}`);
  for (const { rule, detail } of violations) console.log(`BROKEN  ${rule}: ${detail}`);
  if (failures.length + violations.length === 0) console.log('No request failed, and no rule was broken.');
  else process.exitCode = 1;
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0.05 && value <= 0.95)) throw new InvalidArgumentError('It must be between 0.05 and 0.95.');
  return value;
}
