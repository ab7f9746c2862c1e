/**
 * `npm test`: PostgreSQL, Redis and Kafka once, then every jest project with live output. It ends
 * with the line `N passed, N failed`; arguments go to jest (`npm test -- catalog`). Every SQL text that the suites execute
 * is recorded and checked at the end: it must be bound to a store (tests/store-wall). In CI a few failed files run once more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { judgeRun } from '../../tests/store-wall/judge-run.ts';
import { CannotStart } from '../local/cannot-start.ts';
import { compiledDir, repository } from '../local/data-dir.ts';
import { afterSecondRun, type Results, worthASecondRun } from './second-run.ts';
import { startTestServers } from './test-servers.ts';

const resultsFile = `${repository}/.cache/test-results-${process.pid}.json`;
const statementsDir = `${repository}/.cache/statements-${process.pid}`;
const recordStatements = `--import ${new URL('record-statements.mjs', import.meta.url)}`;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const stopServers = await startTestServers((line) => process.stdout.write(`${line}\n`));
  try {
    const passes: Pass[] = [];
    // Tests that measure waiting times run alone: beside others they would measure the load.
    for (const alone of ['no', 'only'] as const) {
      if (interrupted.signal.aborted) return 130;
      const first = await jest(alone, process.argv.slice(2));
      passes.push(interrupted.signal.aborted ? first : await secondRun(alone, first));
    }
    return interrupted.signal.aborted ? 130 : report(passes, await unboundStatements());
  } finally {
    await stopServers();
    rmSync(resultsFile, { force: true });
    rmSync(statementsDir, { recursive: true, force: true });
  }
}

/** In CI, the failed files of a pass once more, one at a time; those that pass then are named. */
async function secondRun(alone: 'no' | 'only', first: Pass): Promise<Pass> {
  const files = process.env.CI === 'true' ? worthASecondRun(first.results) : [];
  if (files.length === 0 || !first.results) return first;
  process.stdout.write(`Run again, one at a time: ${files.join(', ')}\n`);
  const second = await jest(alone, ['--runInBand', '--runTestsByPath', ...files]);
  if (!second.results) return first;
  const { results, flaky } = afterSecondRun(first.results, second.results);
  for (const file of flaky) process.stdout.write(`Passed on its second run only: ${file}\n`);
  return { status: flaky.length === files.length && second.status === 0 ? 0 : first.status, results };
}

/** Prints each statement that is bound to no store or names no columns; returns how many there are. */
async function unboundStatements(): Promise<number> {
  const { judged, faults } = await judgeRun(statementsDir);
  for (const fault of faults) process.stdout.write(`A statement is refused. ${fault}\n`);
  process.stdout.write(`${judged} statements checked, ${faults.length} refused\n`);
  return faults.length;
}

interface Pass {
  status: number;
  results: Results | undefined;
}

async function jest(alone: 'no' | 'only', args: string[]): Promise<Pass> {
  const bin = createRequire(import.meta.url).resolve('jest/bin/jest');
  mkdirSync(statementsDir, { recursive: true });
  rmSync(resultsFile, { force: true });
  // A test that fails half-way may leave a server open; its failure is reported, and the run ends all the same.
  const ends = ['--passWithNoTests', '--forceExit'];
  const flags = ['--no-warnings', bin, '--json', `--outputFile=${resultsFile}`, ...ends];
  if (alone === 'only') flags.push('--runInBand');
  // With --json jest's own output goes to standard error; here it is the output.
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: repository,
    stdio: ['inherit', 'ignore', 1],
    // jest's own modules, compiled once for its processes and those that the tests start.
    env: {
      ...{ NODE_COMPILE_CACHE: compiledDir, ...process.env, STORE_TEST_ALONE: alone, STORE_STATEMENTS_DIR: statementsDir },
      NODE_OPTIONS: [process.env.NODE_OPTIONS, recordStatements].filter(Boolean).join(' '),
    },
  });
  const end = () => child.kill('SIGTERM');
  interrupted.signal.addEventListener('abort', end);
  const [status] = (await once(child, 'exit')) as [number | null];
  interrupted.signal.removeEventListener('abort', end);
  const results = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results) : undefined;
  return { status: status ?? 1, results };
}

/** Prints the closing line. No test at all, and a part that is missing in CI, are failures too. */
function report(passes: Pass[], unbound: number): number {
  const sum = (...names: Exclude<keyof Results, 'testResults'>[]) =>
    passes.reduce((n, { results }) => names.reduce((m, name) => m + (results?.[name] ?? 0), n), 0);
  const passed = sum('numPassedTests');
  const skipped = sum('numPendingTests', 'numTodoTests');
  let failed = sum('numFailedTests', 'numRuntimeErrorTestSuites') + unbound;
  const missingParts = {
    Redis: process.env.TEST_REDIS_SKIPPED,
    Kafka: process.env.TEST_KAFKA_SKIPPED,
    Python: process.env.TEST_PYTHON_SKIPPED,
  };
  for (const [part, missing] of Object.entries(missingParts)) {
    if (!missing) continue;
    process.stdout.write(`Suites that need ${part} were skipped: ${missing}\n`);
    if (process.env.CI === 'true') failed += 1;
  }
  if (passed === 0 && failed === 0) process.stdout.write('No test ran\n');
  if (failed === 0 && (passed === 0 || passes.some(({ status }) => status !== 0))) failed = 1;
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 ? 1 : 0;
}
