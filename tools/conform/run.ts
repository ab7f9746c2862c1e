/** Tries an installation, check by check, and removes what was made. */
import type { Check } from './check.ts';
import { allChecks } from './checks/all.ts';
import { openContract } from './contract.ts';
import { type KeyRecord, Kit } from './kit.ts';
import { Failure, Skip } from './outcome.ts';
import { type Answer, Site, Stop } from './site.ts';
import { type Login, Staff } from './staff.ts';

export interface RunOptions {
  /** With /api/v1. */
  baseUrl: string;
  key: string;
  staff?: Login;
  /** Also what stores something. */
  write: boolean;
  webhookUrl?: string;
  /** All checks when it is left out. */
  chooses?: (check: Check) => boolean;
  callsMax: number;
  secondsMax: number;
  /** Waits for the rate limit. */
  wait: (seconds: number) => Promise<void>;
  onResult?: (done: number, of: number, result: Result) => void;
}

export interface Result {
  check: Check;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  message?: string;
  /** The last request of a failed check. */
  request?: string;
  seconds: number;
}

export interface Report {
  baseUrl: string;
  keyName: string;
  results: Result[];
  calls: number;
  seconds: number;
  /** Why the run ended before its end. */
  stopped?: string;
  /** Records that could not be removed. */
  left: string[];
}

export async function conform(options: RunOptions): Promise<Report> {
  const site = new Site({ ...options, now: () => performance.now() });
  const results: Result[] = [];
  const chosen = allChecks(openContract()).filter(options.chooses ?? (() => true));
  let kit: Kit | undefined;
  let stopped: string | undefined;
  try {
    kit = await openKit(site, options);
    for (const check of chosen) {
      const result = await tried(check, kit, options.write);
      results.push(result);
      options.onResult?.(results.length, chosen.length, result);
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stopped = error.message;
  }
  const left = kit ? await closeKit(kit) : [];
  return {
    baseUrl: options.baseUrl,
    keyName: kit?.key.name ?? '',
    results,
    calls: site.calls,
    seconds: site.elapsedMs() / 1_000,
    stopped,
    left,
  };
}

async function openKit(site: Site, { staff: login, webhookUrl }: RunOptions): Promise<Kit> {
  const answer = await site.send('GET', '/key');
  if (answer.status !== 200) throw new Stop(`GET /key answered ${answer.status} ${answer.text}: is it the right address and key?`);
  const staff = login && (await Staff.logIn(site, login));
  const key = answer.body?.data as KeyRecord | undefined;
  if (!Array.isArray(key?.scopes)) throw new Stop(`GET /key has no data.scopes: ${answer.text}`);
  return new Kit({
    site,
    contract: openContract(),
    key,
    staff,
    webhookUrl,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}

async function closeKit(kit: Kit): Promise<string[]> {
  kit.site.endBounds();
  const left = await kit.removeAll();
  if (kit.hasStaff) await kit.staff.logOut();
  return left;
}

async function tried(check: Check, kit: Kit, writes: boolean): Promise<Result> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const obstacle = obstacleTo(check, kit, writes);
  if (obstacle) return { check, outcome: 'skipped', message: obstacle, seconds: 0 };
  kit.site.last = undefined;
  try {
    await check.run(kit);
    return { check, outcome: 'passed', seconds: seconds() };
  } catch (error) {
    if (error instanceof Stop) throw error;
    if (error instanceof Skip) return { check, outcome: 'skipped', message: error.message, seconds: seconds() };
    return {
      check,
      outcome: 'failed',
      message: error instanceof Failure ? error.message : `the check could not read the answer: ${(error as Error).message}`,
      request: requestOf(kit.site.last),
      seconds: seconds(),
    };
  }
}

function requestOf(last: Answer | undefined): string | undefined {
  return last && `${last.method} ${last.path} answered ${last.status}, request id ${last.headers.get('x-request-id') ?? 'missing'}`;
}

function obstacleTo({ needs, scopes }: Check, kit: Kit, writes: boolean): string | undefined {
  if (needs.includes('staff') && !kit.hasStaff) return 'it needs a staff login (--staff)';
  if (needs.includes('write') && !writes) return 'it stores something (--write)';
  if (needs.includes('write') && kit.key.test_mode) return 'the key is in Test Mode';
  const missing = scopes.filter((scope) => !kit.key.scopes.includes(scope));
  return missing.length > 0 ? `the key does not hold ${missing.join(', ')}` : undefined;
}
