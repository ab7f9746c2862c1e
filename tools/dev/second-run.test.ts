import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { afterSecondRun, type Results, worthASecondRun } from './second-run.ts';

const dir = temporaryFolder();

test('failed files are worth a second run', () => {
  const failed = file('failed.test.ts');
  expect(worthASecondRun(run({ [failed]: ['passed', 'failed'], [file('green.test.ts')]: ['passed'] }))).toEqual([failed]);
});

test('a run without failures, and one without a report, has none', () => {
  expect(worthASecondRun(run({ [file('green.test.ts')]: ['passed'] }))).toEqual([]);
  expect(worthASecondRun(undefined)).toEqual([]);
});

test('more than three failed files are not run again', () => {
  const four = Object.fromEntries([1, 2, 3, 4].map((n) => [file(`${n}.test.ts`), ['failed']]));
  expect(worthASecondRun(run(four))).toEqual([]);
});

test('a failed property is not run again: with another seed it would pass', () => {
  const property = file('property.test.ts', "import fc from 'fast-check';");
  expect(worthASecondRun(run({ [property]: ['failed'], [file('failed.test.ts')]: ['failed'] }))).toEqual([]);
});

test('a file that passes on its second run replaces its first results', () => {
  const [green, flaky] = [file('green.test.ts'), file('flaky.test.ts')];
  const first = run({ [green]: ['passed', 'passed'], [flaky]: ['passed', 'failed'] });
  const after = afterSecondRun(first, run({ [flaky]: ['passed', 'passed'] }));
  expect(after.flaky).toEqual([flaky]);
  expect(after.results).toMatchObject({ numPassedTests: 4, numFailedTests: 0, numRuntimeErrorTestSuites: 0 });
});

test('a file that fails twice has failed', () => {
  const [flaky, broken] = [file('flaky.test.ts'), file('broken.test.ts')];
  const after = afterSecondRun(run({ [flaky]: ['failed'], [broken]: ['failed'] }), run({ [flaky]: ['passed'], [broken]: ['failed'] }));
  expect(after.flaky).toEqual([flaky]);
  expect(after.results).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
});

test('a file that failed in its hooks too, and passes then, has not failed', () => {
  const flaky = file('hooks.test.ts');
  const first = { ...run({ [flaky]: ['failed'], [file('green.test.ts')]: ['passed', 'pending'] }), numRuntimeErrorTestSuites: 1 };
  const after = afterSecondRun(first, run({ [flaky]: ['passed'] }));
  expect(after.flaky).toEqual([flaky]);
  expect(after.results).toMatchObject({ numPassedTests: 2, numFailedTests: 0, numPendingTests: 1, numRuntimeErrorTestSuites: 0 });
});

test('a file that could not be run at all is counted once', () => {
  const unrunnable = file('unrunnable.test.ts');
  const first = run({ [unrunnable]: [] });
  expect(first.numRuntimeErrorTestSuites).toBe(1);
  expect(afterSecondRun(first, run({ [unrunnable]: ['passed'] })).results).toMatchObject({
    numPassedTests: 1,
    numRuntimeErrorTestSuites: 0,
  });
  expect(afterSecondRun(first, run({ [unrunnable]: [] })).results).toMatchObject({ numRuntimeErrorTestSuites: 1 });
});

function file(name: string, text = ''): string {
  const at = path.join(dir, name);
  writeFileSync(at, text);
  return at;
}

/** A report; a file without tests is one that could not be run. */
function run(files: Record<string, string[]>): Results {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    status: tests.length === 0 || tests.includes('failed') ? 'failed' : 'passed',
    assertionResults: tests.map((status) => ({ status })),
  }));
  const count = (status: string) => testResults.flatMap((one) => one.assertionResults).filter((one) => one.status === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: testResults.filter((one) => one.assertionResults.length === 0).length,
    testResults,
  };
}
