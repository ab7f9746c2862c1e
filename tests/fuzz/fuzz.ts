/** `npm run fuzz`: random requests, generated from the OpenAPI documents, against the whole product on a new database. */
import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { startTestServers } from '../../tools/dev/test-servers.ts';
import { CannotStart } from '../../tools/local/cannot-start.ts';
import { foreground } from '../../tools/local/foreground.ts';
import { wholeNumber } from '../kit/command.ts';
import { startProduct } from './product.ts';
import { schemathesisPython } from './python.ts';
import { fuzz } from './run.ts';

const seedMax = 2 ** 32;

interface Options {
  examples: number;
  seed: number;
  seconds?: number;
  only?: string;
}

const options = new Command('npm run fuzz --')
  .description('Calls every endpoint with random requests and checks each answer against the OpenAPI documents (schemathesis).')
  .option('--examples <n>', 'random examples per endpoint', wholeNumber, 100)
  .option('--seed <n>', 'repeats an earlier run', wholeNumber, randomInt(1, seedMax))
  .option('--seconds <n>', 'end each of the two passes then', wholeNumber)
  .option('--only <pattern>', 'endpoints whose path matches this regular expression')
  .parse()
  .opts<Options>();

const print = (line: string) => console.log(line);

await foreground(async ({ onStop }) => {
  const found = schemathesisPython(print);
  if ('skipped' in found) throw new CannotStart(found.skipped);
  // Names the servers to start: PostgreSQL, without Kafka.
  process.env.STORE_TEST_PROJECT ??= 'fuzz';
  onStop(await startTestServers(print));
  const database = await migratedDatabase();
  onStop(() => database.close());
  const product = await startProduct(database.url);
  onStop(() => product.close());
  const { examples, seed, only, seconds: maxSeconds } = options;
  const onText = (text: string) => void process.stdout.write(text);
  const passes = [];
  for (const as of ['keys', 'staff'] as const)
    passes.push(await fuzz({ python: found.python, product, as, examples, seed, only, maxSeconds, onText }));
  if (passes.includes(false)) throw new CannotStart(`Something was found. npm run fuzz -- --seed ${seed} repeats the run.`);
  print(`Nothing was found with the seed ${seed}.`);
  process.kill(process.pid, 'SIGTERM');
});
