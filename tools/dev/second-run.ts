/**
 * Which failed test files are run once more in CI, and what both runs come to (docs/decisions/0177). Property tests and
 * chaos runs are not run again: one failure is enough.
 */
import { readFileSync } from 'node:fs';

/** What jest's JSON report says, as far as it is used. */
export interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that could not be run at all. */
  numRuntimeErrorTestSuites: number;
  testResults: FileResult[];
}

interface FileResult {
  /** Path of the file. */
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

/** More failed files than this are no accident. */
const mostFiles = 3;

/** The failed files of a run that are worth a second run; none when one of the failed files is not. */
export function worthASecondRun(results: Results | undefined): string[] {
  const files = failedFiles(results);
  return files.length <= mostFiles && !files.some(hasRandomInput) ? files : [];
}

/**
 * Both runs together, and the files that passed only on the second. All that failed at first ran again, so what failed is what
 * the second run says, and of the first run only the files that passed count.
 */
export function afterSecondRun(first: Results, second: Results): { results: Results; flaky: string[] } {
  const kept = first.testResults.filter(({ status }) => status !== 'failed');
  const count = (status: string) => kept.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;
  const passedNow = new Set(second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
  return {
    results: {
      ...second,
      numPassedTests: count('passed') + second.numPassedTests,
      numPendingTests: count('pending') + second.numPendingTests,
      numTodoTests: count('todo') + second.numTodoTests,
      testResults: [...kept, ...second.testResults],
    },
    flaky: failedFiles(first).filter((name) => passedNow.has(name)),
  };
}

function failedFiles(results: Results | undefined): string[] {
  return (results?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function hasRandomInput(file: string): boolean {
  return file.includes('/tests/chaos/') || /fast-check|testbed\/holds/.test(readFileSync(file, 'utf8'));
}
