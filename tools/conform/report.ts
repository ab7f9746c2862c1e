/** What a run found: for people, as JUnit XML, and as JSON. */
import type { Report, Result } from './run.ts';

const of = ({ results }: Report, outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome);

export const isConformant = (report: Report): boolean => report.stopped === undefined && of(report, 'failed').length === 0;

/** Each failure with the sentence of the contract; skipped checks by their reason. */
export function textReport(report: Report): string {
  const failed = of(report, 'failed');
  const skipped = of(report, 'skipped');
  return [
    ...failed.map(({ check, message, request }) =>
      [
        `FAILED  ${check.area}: ${check.subject}`,
        `        ${check.sentence}`,
        `        ${message}`,
        ...(request ? [`        (${request})`] : []),
        '',
      ].join('\n'),
    ),
    ...reasonsOf(skipped).map(([reason, count]) => `skipped ${count}: ${reason}`),
    ...report.left.map((left) => `NOT REMOVED  ${left}`),
    ...(report.stopped === undefined ? [] : [`STOPPED  ${report.stopped}`]),
    `${of(report, 'passed').length} passed, ${failed.length} failed, ${skipped.length} skipped; ${report.calls} requests in ${report.seconds.toFixed(1)} s`,
    '',
  ].join('\n');
}

function reasonsOf(skipped: Result[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { message = '' } of skipped) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, one], [, two]) => two - one);
}

export function jsonReport(report: Report): string {
  const { results, ...whole } = report;
  const checks = results.map(({ check, outcome, message, request, seconds }) => ({
    area: check.area,
    subject: check.subject,
    sentence: check.sentence,
    outcome,
    ...(message !== undefined && { message }),
    ...(request !== undefined && { request }),
    seconds: Number(seconds.toFixed(3)),
  }));
  return `${JSON.stringify({ ...whole, conformant: isConformant(report), checks }, null, 2)}\n`;
}

/** One test suite per area. */
export function junitReport(report: Report): string {
  const areas = [...new Set(report.results.map(({ check }) => check.area))];
  const suites = areas.map((area) => {
    const results = report.results.filter(({ check }) => check.area === area);
    return `  <testsuite name="${xml(area)}" ${countsOf(results)}>\n${results.map(caseOf).join('')}  </testsuite>\n`;
  });
  const stopped = report.stopped === undefined ? '' : stoppedCase(report.stopped);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance of ${xml(report.baseUrl)}" time="${report.seconds.toFixed(3)}">\n${suites.join('')}${stopped}</testsuites>\n`;
}

function countsOf(results: Result[]): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  return `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}"`;
}

function caseOf({ check, outcome, message = '', request, seconds }: Result): string {
  const name = `${check.subject}: ${check.sentence}`;
  const head = `    <testcase classname="${xml(check.area)}" name="${xml(name)}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'passed') return `${head}/>\n`;
  if (outcome === 'skipped') return `${head}><skipped message="${xml(message)}"/></testcase>\n`;
  return `${head}><failure message="${xml(message)}">${xml(request ?? '')}</failure></testcase>\n`;
}

const stoppedCase = (reason: string) =>
  `  <testsuite name="the run" tests="1" failures="1" skipped="0">\n    <testcase classname="the run" name="ends"><failure message="${xml(reason)}"/></testcase>\n  </testsuite>\n`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters cannot be written in XML 1.0. */
function xml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character]!).replace(/\p{Cc}/gu, ' ');
}
