/**
 * `npm run load -- smoke`: the scenarios of the API's users under k6, on one process per app with two gateways, with receivers
 * that verify each webhook. It exits with 1 when a limit of the profile does not hold.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { dataDir } from '../../tools/local/data-dir.ts';
import { openBenchReceiver, openLayout } from '../bench/events-layout.ts';
import { type Run, runCommand, wholeNumber } from '../kit/command.ts';
import { logIn } from '../kit/stores.ts';
import { deliveryFigures, settle, subscribeAll } from './deliveries.ts';
import { k6Binary, runK6 } from './k6.ts';
import { type ProfileName, profileOf, profiles, type ScenarioName, scenarios, secondsOf } from './plan.ts';
import { broken, type K6Figures, summary } from './summary.ts';

interface Options {
  scenarios: ScenarioName[];
  products: number;
  subscribers: number;
  seconds?: number;
  out: string;
}

const names = Object.keys(scenarios) as ScenarioName[];
const described = (list: Record<string, { what: string }>) =>
  Object.entries(list)
    .map(([name, { what }]) => `  ${name.padEnd(15)} ${what}`)
    .join('\n');
/** How long nothing may get less after the load. */
const restMaxMs = 60_000;
const gateways = 2;

const command = new Command('npm run load --')
  .description('Runs the scenarios of the API’s users under k6, which is built once where it is missing (Go).')
  .addArgument(new Argument('<profile>', 'how hard and how long').choices(Object.keys(profiles)))
  .option('--scenarios <list>', 'comma-separated; all when absent', scenarioNames, names)
  .option('--products <n>', 'products of the store', wholeNumber, 5_000)
  .option('--subscribers <n>', 'webhook subscriptions of the burst, at most 25', wholeNumber, 10)
  .option('--seconds <n>', 'how long instead of the time of the profile, whose stages are shortened or stretched', wholeNumber)
  .option('--out <file>', 'where the summary goes, as Markdown', path.join(dataDir(), 'load.md'))
  .addHelpText('after', `\nProfiles:\n${described(profiles)}\n\nScenarios:\n${described(scenarios)}`);

await runCommand(command, load);

async function load(
  { log, signal }: Run,
  profile: ProfileName,
  { scenarios: chosen, products, subscribers, seconds: wanted, out }: Options,
): Promise<void> {
  const machine = `${os.cpus().length} processors, ${Math.round(os.totalmem() / 2 ** 30)} GB, load ${os.loadavg()[0]!.toFixed(1)} before the run`;
  const binary = await k6Binary(log, signal);
  if (typeof binary !== 'string') throw new Error(`The load needs k6. ${binary.skipped}`);
  const stops: (() => Promise<void>)[] = [];
  try {
    log('Starting PostgreSQL, Redis, Kafka and the processes');
    const receiver = await openBenchReceiver({ stops });
    const { fleet, api, store, database } = await openLayout({
      name: 'load',
      products,
      gateways,
      relaysYield: false,
      env: receiver.env,
      say: log,
      stops,
    });
    signal.throwIfAborted();
    const isBurst = chosen.includes('webhook_burst');
    const secrets = await subscribeAll(api, store.keys[1]!, receiver, isBurst ? Math.min(25, subscribers) : 0);
    const figuresFile = path.join(dataDir(), 'load/figures.json');
    const configFile = path.join(dataDir(), 'load/config.json');
    const config = {
      ...{ profile, scenarios: chosen, seconds: wanted, figures: figuresFile, run: `load-${Date.now().toString(36)}` },
      api: fleet.gateways.map((gateway) => `${gateway}/api/v1`),
      // The first key has a limit of one request a minute.
      keys: store.keys.slice(1),
      ids: store.ids,
      token: await logIn(api, store.staff),
    };
    mkdirSync(path.dirname(configFile), { recursive: true });
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    const plan = profileOf(profile, wanted);
    const seconds = secondsOf(plan);
    log(`${profile}: ${chosen.join(', ')} for ${seconds} s`);
    await runK6({ binary, configFile, seconds, log, signal });
    const figures = JSON.parse(readFileSync(figuresFile, 'utf8')) as K6Figures;
    if (isBurst) await settle(database, restMaxMs, log);
    const deliveries = isBurst ? await deliveryFigures(database, receiver, secrets) : undefined;
    const text = summary({
      profile,
      stages: plan.stages,
      names: chosen,
      figures,
      deliveries,
      machine,
      date: new Date().toISOString().slice(0, 10),
    });
    writeFileSync(out, text);
    console.log(`${text}\nThe summary is in ${out}`);
    if (broken({ figures, deliveries }).length > 0) process.exitCode = 1;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function scenarioNames(list: string): ScenarioName[] {
  const chosen = list.split(',');
  const unknown = chosen.filter((name) => !(name in scenarios));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}.`);
  return chosen as ScenarioName[];
}
