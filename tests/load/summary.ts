/** The figures of a run as Markdown. Pure. */

import type { DeliveryFigures } from './deliveries.ts';
import { type Profile, type ProfileName, profiles, type ScenarioName, scenarios } from './plan.ts';

/** What k6 hands to handleSummary, as far as it is read here. */
export interface K6Figures {
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
  root_group: { checks: { name: string; passes: number; fails: number }[] };
  state: { testRunDurationMs: number };
}

export interface Run {
  profile: ProfileName;
  /** The stages that were run. */
  stages: Profile['stages'];
  names: ScenarioName[];
  figures: K6Figures;
  deliveries: DeliveryFigures | undefined;
  /** Processors, memory and the load of the machine before the run. */
  machine: string;
  date: string;
}

/** Limits that were passed, a sentence each. */
export function broken({ figures, deliveries: webhooks }: Pick<Run, 'figures' | 'deliveries'>): string[] {
  const thresholds = Object.entries(figures.metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([limit]) => `${metric}: ${limit} does not hold`),
  );
  const checks = figures.root_group.checks.filter(({ fails }) => fails > 0).map(({ name, fails }) => `${fails} x not: ${name}`);
  const deliveries = webhooks
    ? [
        ...(webhooks.missing === 0 ? [] : [`${webhooks.missing} deliveries did not arrive`]),
        ...(webhooks.unverified === 0 ? [] : [`${webhooks.unverified} POSTs have no valid signature`]),
      ]
    : [];
  return [...thresholds, ...checks, ...deliveries];
}

export function summary(run: Run): string {
  const { profile, names, figures, deliveries: webhooks, machine, date } = run;
  const { testRunDurationMs } = figures.state;
  const faults = broken(run);
  const rows = names.map((name) => {
    const values = figures.metrics[`http_req_duration{scenario:${name}}`]?.values;
    const shown = values ? [values.med, values['p(95)'], values['p(99)'], values.max].map(ms) : ['', '', '', ''];
    return `| ${name} | ${scenarios[name].what} | ${shown.join(' | ')} |`;
  });
  const stages = run.stages.map(([seconds, factor], index) => {
    const values = (metric: string) => figures.metrics[`${metric}{stage:${index + 1}}`]?.values;
    const perSecond = (values('http_reqs')?.count ?? 0) / seconds;
    const lost = values('http_req_failed')?.rate ?? 0;
    const times = values('http_req_duration');
    const shown = [perSecond.toFixed(1), (perSecond * (1 - lost)).toFixed(1), ms(times?.med), ms(times?.['p(95)'])];
    return `| ${index + 1}: ${seconds} s, to ${factor} times | ${shown.join(' | ')} |`;
  });
  const requests = figures.metrics.http_reqs?.values;
  const failed = figures.metrics.http_req_failed?.values.rate ?? 0;
  const dropped = figures.metrics.dropped_iterations?.values.count ?? 0;
  return [
    `# Load: ${profile}`,
    '',
    `${profiles[profile].what}. ${date}, ${machine}.`,
    '',
    faults.length === 0 ? 'Every limit holds.' : ['Limits that do not hold:', '', ...faults.map((one) => `- ${one}`)].join('\n'),
    '',
    '| Scenario | What | Median | 95 % | 99 % | Longest |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '| Stage | Requests a second | Served a second | Median | 95 % |',
    '|---|---|---|---|---|',
    ...stages,
    '',
    `${requests?.count ?? 0} requests in ${Math.round(testRunDurationMs / 1_000)} s (${(requests?.rate ?? 0).toFixed(1)} a second), ${(failed * 100).toFixed(2)} % failed; ${dropped} iterations were not begun, as too many were under way.`,
    ...(webhooks
      ? [
          '',
          `Webhooks: ${webhooks.events} events to ${webhooks.subscriptions} subscribers, ${webhooks.missing} missing, ${webhooks.unverified} unverified; ${webhooks.p50Ms} ms at the median and ${webhooks.p95Ms} ms at 95 % from the change to the receiver.`,
        ]
      : []),
    '',
  ].join('\n');
}

const ms = (value: number | undefined) => (value === undefined ? '' : `${Math.round(value)} ms`);
