/**
 * Which failed test files are run once more in CI, and what both runs come to (docs/decisions/0177). Property tests and
 * chaos runs are not run again: what they found once stands.
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

/** The counts of the first run with the second run's files in place of the first's, and the files that passed only then. */
export function afterSecondRun(first: Results, second: Results): { results: Results; flaky: string[] } {
  const again = new Set(second.testResults.map(({ name }) => name));
  const stillFailed = new Set(failedFiles(second));
  const replaced = first.testResults.filter(({ name }) => again.has(name));
  const counts = (status: string) => (files: FileResult[]) =>
    files.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;
  const [passed, failed] = [counts('passed'), counts('failed')];
  const notRun = replaced.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return {
    results: {
      ...first,
      numPassedTests: first.numPassedTests - passed(replaced) + second.numPassedTests,
      numFailedTests: first.numFailedTests - failed(replaced) + second.numFailedTests,
      numRuntimeErrorTestSuites: first.numRuntimeErrorTestSuites - notRun + second.numRuntimeErrorTestSuites,
      testResults: [...first.testResults.filter(({ name }) => !again.has(name)), ...second.testResults],
    },
    flaky: [...again].filter((name) => !stillFailed.has(name)),
  };
}

function failedFiles(results: Results | undefined): string[] {
  return (results?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function hasRandomInput(file: string): boolean {
  return file.includes('/tests/chaos/') || /fast-check|testbed\/holds/.test(readFileSync(file, 'utf8'));
}
