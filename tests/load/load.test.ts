/** The plan of the load and its summary; the load itself is `npm run load`. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { lasting, optionsOf, type ProfileName, profiles, type ScenarioName, scenarios, secondsOf, stageAt } from './plan.ts';
import { broken, type K6Figures, summary } from './summary.ts';

const names = Object.keys(scenarios) as ScenarioName[];
const profileNames = Object.keys(profiles) as ProfileName[];

test.each(profileNames)('%s runs every scenario at a whole rate, and each has a limit of latency', (profile) => {
  const options = optionsOf(profile, names);
  expect(Object.keys(options.scenarios)).toEqual(names);
  for (const { stages, preAllocatedVUs, maxVUs } of Object.values(options.scenarios)) {
    expect(stages.every(({ target }) => Number.isInteger(target) && target > 0)).toBe(true);
    expect(maxVUs).toBeGreaterThanOrEqual(preAllocatedVUs);
  }
  for (const name of names) expect(options.thresholds[`http_req_duration{scenario:${name}}`]).toHaveLength(1);
  const last = profiles[profile].stages.length;
  expect(options.thresholds[profiles[profile].bends ? `http_req_failed{stage:${last}}` : 'http_req_failed']).toEqual(['rate<0.001']);
});

test('smoke ends within half a minute, and no profile is endless', () => {
  expect(secondsOf(profiles.smoke)).toBeLessThanOrEqual(30);
  for (const profile of profileNames) expect(secondsOf(profiles[profile])).toBeLessThanOrEqual(3 * 3_600);
});

test('another time shortens each stage and keeps how hard it is', () => {
  const { scenarios: chosen } = optionsOf('stress', ['point_lookups'], 42);
  const { stages } = chosen.point_lookups!;
  expect(stages.map(({ duration }) => Number.parseInt(duration, 10))).toEqual([6, 11, 11, 6, 3, 6]);
  expect(stages.map(({ target }) => target)).toEqual(
    optionsOf('stress', ['point_lookups']).scenarios.point_lookups!.stages.map(({ target }) => target),
  );
  expect(lasting(profiles.load, 2).stages.map(([seconds]) => seconds)).toEqual([1, 2]);
});

test('a request belongs to the stage in which it was begun', () => {
  const { stress } = profiles;
  const times = [0, 59_999, 60_000, 179_999, 180_000, 429_999, 430_000, 1_000_000];
  expect(times.map((ms) => stageAt(stress, ms))).toEqual([1, 1, 2, 2, 3, 6, 6, 6]);
});

test('every scenario has a script of its own, which parses', () => {
  const files = readdirSync(path.join(import.meta.dirname, 'k6')).filter((file) => file.endsWith('.js'));
  const wanted = names.map((name) => `${name.replaceAll('_', '-')}.js`);
  expect(files.sort()).toEqual([...wanted, 'main.js', 'request.js'].sort());
  for (const file of files) {
    const parsed = spawnSync(process.execPath, ['--check', path.join(import.meta.dirname, 'k6', file)], { encoding: 'utf8' });
    expect([file, parsed.status, parsed.stderr]).toEqual([file, 0, '']);
  }
});

const trend = { values: { med: 4.2, 'p(95)': 9, 'p(99)': 12, max: 40 }, thresholds: { 'p(95)<250': { ok: true } } };
const figures: K6Figures = {
  metrics: {
    'http_req_duration{scenario:point_lookups}': trend,
    http_reqs: { values: { count: 300, rate: 15 } },
    http_req_failed: { values: { rate: 0 }, thresholds: { 'rate<0.001': { ok: true } } },
  },
  root_group: { checks: [{ name: 'GET /products/:id answers 200', passes: 300, fails: 0 }] },
  state: { testRunDurationMs: 20_000 },
};
const deliveries = { subscriptions: 10, events: 40, missing: 0, unverified: 0, p50Ms: 20, p95Ms: 60 };
const run = {
  profile: 'smoke',
  stages: [[20, 1]] as [number, number][],
  names: ['point_lookups'],
  figures,
  deliveries,
  machine: '2 processors',
  date: '2026-01-01',
} as const;

test('the summary has a line per scenario and says that every limit holds', () => {
  const text = summary({ ...run, names: ['point_lookups'] });
  expect(text).toContain('| point_lookups | a till or a shop page reads one product, by id or by code | 4 ms | 9 ms | 12 ms | 40 ms |');
  expect(text).toContain('Every limit holds.');
  expect(text).toContain('40 events to 10 subscribers, 0 missing, 0 unverified');
});

test('a passed threshold, failed check, missing delivery or wrong signature breaks it', () => {
  const bad = structuredClone(figures);
  bad.metrics.http_req_failed!.thresholds!['rate<0.001']!.ok = false;
  bad.root_group.checks[0]!.fails = 2;
  expect(broken({ figures: bad, deliveries: { ...deliveries, missing: 3, unverified: 1 } })).toEqual([
    'http_req_failed: rate<0.001 does not hold',
    '2 x not: GET /products/:id answers 200',
    '3 deliveries did not arrive',
    '1 POSTs have no valid signature',
  ]);
  expect(broken({ figures, deliveries })).toEqual([]);
});
