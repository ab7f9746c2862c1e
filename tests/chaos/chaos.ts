/**
 * `npm run chaos -- --seed N --faults 20`: kills and freezes processes at random under load and checks
 * the result. It exits with 1, names every rule that was broken, and prints the command that repeats the run.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serviceNames } from '@store/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dataDir } from '../../tools/local/data-dir.ts';
import { type Run, runCommand, wholeNumber } from '../kit/command.ts';
import { fullPace, quickPace } from './faults.ts';
import type { History, Violation } from './history.ts';
import type { KeyLife } from './key-life.ts';
import { type RunOptions, type RunResult, runChaos } from './run.ts';
import type { Brokers } from './servers.ts';

interface Options extends Pick<RunOptions, 'seed' | 'faults' | 'seconds' | 'rate' | 'targets' | 'brokers' | 'stores' | 'pooler'> {
  clocks?: boolean;
  twice?: boolean;
  rest: number;
  quick?: boolean;
  keep?: boolean;
}

const seedMax = 2 ** 31;
const shownPerRule = 20;
const keys = 80;
const tills = 3;

const command = new Command('npm run chaos --')
  .description('Kills (-9) and freezes the processes of the whole product at random under load, then judges the history.')
  .option('--seed <n>', 'what decides the faults and the load; a random one when absent', wholeNumber, randomInt(seedMax))
  .option('--faults <n>', 'how many', wholeNumber, 20)
  .option('--seconds <n>', 'shortest time under load', wholeNumber, 0)
  .option('--rate <n>', 'writes per second', wholeNumber, 60)
  .option('--targets <names>', 'what suffers, such as webhooks-2,kafka; everything when absent', (names) => names.split(','))
  .option('--brokers <n>', 'of Kafka: 1, or 3 with every partition on all of them', brokerCount, 1)
  .option('--clocks', 'the wall clocks of processes are set five minutes ahead and back, too')
  .option('--stores <n>', 'stores whose tills share gift cards and credit that run out', wholeNumber, 3)
  .option('--twice', 'two processes of every service are called; it needs the loopback addresses of Linux')
  .addOption(new Option('--pooler <mode>', 'a PgBouncer in front of PostgreSQL, which suffers too').choices(['session', 'transaction']))
  .option('--rest <seconds>', 'how long nothing may get less before all is at rest', wholeNumber, 60)
  .option('--quick', 'faults follow each other faster and last shorter, as in npm test')
  .option('--keep', 'leave the processes running until Enter is pressed, and write the history to a file');

await runCommand(command, chaos);

async function chaos({ log, signal }: Run, options: Options): Promise<void> {
  const { clocks = false, twice, rest, quick, keep, ...load } = options;
  const seed = process.argv.includes('--seed') ? '' : ` --seed ${load.seed}`;
  const repeat = [`npm run chaos --${seed}`, ...process.argv.slice(2)].join(' ');
  await runChaos({
    ...{ ...load, keys, tills, clocks, log, signal },
    twice: twice ? serviceNames : [],
    restMaxMs: rest * 1_000,
    pace: quick ? quickPace : fullPace,
    judged: async (result) => {
      console.log(table(result));
      console.log(result.violations.length === 0 ? 'No rule was broken.' : `${broken(result.violations)}\nTo repeat it: ${repeat}`);
      if (result.violations.length > 0) process.exitCode = 1;
      if (keep) await untilEnter(result.history);
    },
  });
}

async function untilEnter(history: History): Promise<void> {
  const file = path.join(dataDir(), 'chaos-history.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(history));
  console.log(`The history is in ${file}. The processes run until you press Enter.`);
  await new Promise((resolve) => process.stdin.once('data', resolve).once('end', resolve));
  process.stdin.destroy();
}

function table({ history, writesPerSecond, settledMs }: RunResult): string {
  const of = (result: string) => history.writes.filter((write) => write.result === result).length;
  const ofTills = (result: string) => history.tillRequests.filter((request) => request.result === result).length;
  const sum = (of: (life: KeyLife) => number) => history.lives.reduce((total, life) => total + of(life), 0);
  const copies = history.carried.length - new Set(history.carried.map(({ eventId }) => eventId)).size;
  const lines = [
    ['writes', `${history.writes.length} (${of('ok')} ok, ${of('fail')} refused, ${of('info')} in doubt), ${writesPerSecond.toFixed(1)}/s`],
    ['tills', `${history.tillRequests.length} (${ofTills('ok')} ok, ${ofTills('fail')} refused, ${ofTills('info')} in doubt)`],
    [
      'keys',
      `${history.lives.length} with a subscription each, ${history.lives.filter(({ revoked }) => revoked !== null).length} revoked, ${sum(({ replays }) => replays.length)} replays, ${sum(({ sent }) => sent?.length ?? 0)} attempts`,
    ],
    [
      'changes',
      `${history.changes.length} committed, ${history.ledger.length} of them in the ledger, ${history.audited.length} audit entries`,
    ],
    ['events', `${history.emitted.length} committed, ${history.carried.length} messages in Kafka (${copies} repeated)`],
    ...history.receivers.map(({ name, arrivals, attempts }) => {
      const lost = attempts.filter(({ outcome }) => outcome === 'lost').length;
      const distinct = new Set(arrivals.map(({ eventId }) => eventId)).size;
      return [name, `${distinct} events in ${arrivals.length} POSTs, ${attempts.length} attempts logged (${lost} lost)`];
    }),
    ['at rest', `${(settledMs / 1_000).toFixed(1)} s after the last fault`],
  ];
  return lines.map(([what, figures]) => `${what!.padEnd(14)} ${figures}`).join('\n');
}

function broken(violations: Violation[]): string {
  const lines = [...Map.groupBy(violations, ({ rule }) => rule)].flatMap(([rule, found]) => [
    `${rule}: ${found.length}`,
    ...found.slice(0, shownPerRule).map(({ detail }) => `  ${detail}`),
    ...(found.length > shownPerRule ? [`  and ${found.length - shownPerRule} more`] : []),
  ]);
  return ['Broken rules:', ...lines].join('\n');
}

function brokerCount(text: string): Brokers {
  if (text !== '1' && text !== '3') throw new InvalidArgumentError('It must be 1 or 3.');
  return text === '1' ? 1 : 3;
}
