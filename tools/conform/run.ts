/** Tries an installation rule by rule, and says what was found. */
import { openContract } from './contract.ts';
import { Failure, type Rule, Skip, Stop } from './rule.ts';
import { allRules } from './rules/all.ts';
import { Site, type SiteOptions } from './site.ts';

export interface RunOptions extends SiteOptions {
  /** Also what sends writes, all of which must be refused. */
  write: boolean;
  /** All rules when it is left out. */
  chooses?: (rule: Rule) => boolean;
  onResult?: (done: number, of: number, result: Result) => void;
}

export interface Result {
  rule: Rule;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, and the last request of one that failed. */
  message: string;
  seconds: number;
}

export interface Report {
  baseUrl: string;
  results: Result[];
  calls: number;
  seconds: number;
  /** Why the run ended before its end. */
  stopped?: string;
  /** Keys that could not be revoked. */
  left: string[];
}

export async function conform(options: RunOptions): Promise<Report> {
  const site = new Site(options);
  const results: Result[] = [];
  const chosen = allRules(openContract()).filter(options.chooses ?? (() => true));
  let stopped: string | undefined;
  try {
    await site.open();
    for (const rule of chosen) {
      const result = await tried(rule, site, options.write);
      results.push(result);
      options.onResult?.(results.length, chosen.length, result);
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stopped = error.message;
  }
  const left = await site.close();
  return { baseUrl: options.baseUrl, results, calls: site.calls, seconds: site.elapsedSeconds(), stopped, left };
}

async function tried(rule: Rule, site: Site, writes: boolean): Promise<Result> {
  const startedAt = site.elapsedSeconds();
  const result = (outcome: Result['outcome'], message = ''): Result => ({
    rule,
    outcome,
    message,
    seconds: site.elapsedSeconds() - startedAt,
  });
  const obstacle = obstacleTo(rule, site, writes);
  if (obstacle) return result('skipped', obstacle);
  site.last = undefined;
  try {
    await rule.run(site);
    return result('passed');
  } catch (error) {
    if (error instanceof Stop) throw error;
    const { message } = error as Error;
    if (error instanceof Skip) return result('skipped', message);
    const { last } = site as Site;
    const request = last ? ` (${last.method} ${last.path} answered ${last.status}, request id ${last.headers.get('x-request-id')})` : '';
    return result('failed', `${error instanceof Failure ? '' : 'the answer could not be read: '}${message}${request}`);
  }
}

function obstacleTo({ needs, scopes = [] }: Rule, { own, options }: Site, writes: boolean): string | undefined {
  if (needs === 'staff' && !options.staff) return 'it needs a staff login (--staff)';
  if (needs === 'write' && !writes) return 'it sends writes (--write)';
  if (needs === 'write' && own.test_mode) return 'the key is in Test Mode';
  const missing = scopes.filter((scope) => scope !== '' && !own.scopes.includes(scope));
  return missing.length > 0 ? `the key does not hold ${missing.join(', ')}` : undefined;
}

const of = ({ results }: Report, outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome);

export const isConformant = (report: Report): boolean =>
  report.stopped === undefined && of(report, 'failed').length + report.left.length === 0;

/** Each failure with the sentence of the contract; skipped rules by their reason. */
export function textReport(report: Report): string {
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((outcome) => of(report, outcome));
  const reasons = new Map<string, number>();
  for (const { message } of skipped!) reasons.set(message, (reasons.get(message) ?? 0) + 1);
  return [
    ...failed!.map(({ rule, message }) => `FAILED  ${rule.area}: ${rule.subject}\n        ${rule.sentence}\n        ${message}\n`),
    ...[...reasons].map(([reason, count]) => `skipped ${count}: ${reason}`),
    ...report.left.map((left) => `NOT REVOKED  ${left}`),
    ...(report.stopped === undefined ? [] : [`STOPPED  ${report.stopped}`]),
    `${passed!.length} passed, ${failed!.length} failed, ${skipped!.length} skipped; ${report.calls} requests in ${report.seconds.toFixed(1)} s`,
    '',
  ].join('\n');
}
