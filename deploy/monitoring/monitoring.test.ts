/** Alert rules and dashboard; tests/faults/watched-fleet.test.ts holds the metrics that they name to what processes answer. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { parse, stringify } from 'yaml';
import { repository } from '../../tools/local/data-dir.ts';
import { absent } from './app-parts.ts';
import { ruleCases } from './rule-cases.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const runbookFile = 'docs/operations/incidents.md';
const { spec } = parse(read('deploy/k8s/installation/alerts.yaml')) as { spec: { groups: { rules: Rule[] }[] } };
const rules = spec.groups.flatMap((group) => group.rules).filter(({ alert }) => alert);
const [, runbook = ''] = /\n## Alerts\n([\s\S]*?)\n## /.exec(`${read(runbookFile)}\n## `) ?? [];

describe('an alert', () => {
  test('has one paragraph that says what to do, and each paragraph there its alert', () => {
    const paragraphs = [...runbook.matchAll(/^### (\w+)\n\n(.+)/gm)];
    expect(paragraphs.map(([, name]) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const [, name, text] of paragraphs) expect([name, text!.length > 60]).toEqual([name, true]);
  });

  test('fires when no process of an app is seen, for each app of the registry', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'StoreAppAbsent') ?? {};
    expect(expr.split(' or ').sort()).toEqual(appNames.map(absent).sort());
  });

  test('never looks for progress of 0: a gone or new process has no series to compare', () => {
    for (const { alert, expr } of rules) expect([alert, /(?:rate|increase)\([^)]*\)+ *== *0/.test(expr)]).toEqual([alert, false]);
  });

  test.each(rules.map((rule): [string, Rule] => [rule.alert, rule]))(
    '%s has a severity, a summary and a link to its runbook',
    (_name, rule) => {
      expect(rule.labels.severity).toMatch(/^(page|ticket)$/);
      expect(rule.annotations.summary).toMatch(/^\S.{10,}/);
      expect(rule.annotations.runbook_url).toBe(`https://git.example.com/store/${runbookFile}#${rule.alert.toLowerCase()}`);
    },
  );
});

/** The rules as the command of the runbook takes them from the PrometheusRule. */
function plainRules(): string {
  const [, command = ''] = /^(sed .*) > rules\.yaml$/m.exec(read(runbookFile)) ?? [];
  return spawnSync('bash', ['-c', command], { cwd: repository, encoding: 'utf8' }).stdout;
}

test("the runbook's command gives a Prometheus without its operator the same rules", () => {
  expect(parse(plainRules())).toEqual(spec);
});

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: repository, encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

(hasPromtool ? describe : describe.skip)(`promtool${hasPromtool ? '' : ' (skipped: there is no promtool on the PATH)'}`, () => {
  test('accepts every rule; each fires when it should, and no other with it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rules-'));
    const [rulesFile, file] = ['rules.yaml', 'test.yaml'].map((name) => path.join(folder, name)) as [string, string];
    writeFileSync(rulesFile, plainRules());
    expect(promtool('check', 'rules', rulesFile)).toMatchObject({ status: 0, stdout: expect.stringContaining('SUCCESS') });
    const tests = ruleCases.map(({ name, series, at, firing }) => ({
      interval: '1m',
      name,
      input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
      alert_rule_test: rules.map((rule) => ({
        eval_time: `${at}m`,
        alertname: rule.alert,
        exp_alerts: (firing[rule.alert] ?? []).map((labels) => expected(rule, labels)),
      })),
    }));
    writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
    const { status, stdout, stderr } = promtool('test', 'rules', file);
    rmSync(folder, { recursive: true });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

test('every alert is seen to fire in a case', () => {
  const fired = new Set(ruleCases.flatMap(({ firing }) => Object.keys(firing)));
  expect(rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert))).toEqual([]);
});

/** The alert with its texts filled in; 3 is the one value that a case has to show. */
function expected({ labels: { severity }, annotations }: Rule, labels: Record<string, string>) {
  const filled = Object.entries(annotations).map(([name, text]) => [
    name,
    text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '').replace('{{ $value }}', '3'),
  ]);
  return { exp_labels: { severity, ...labels }, exp_annotations: Object.fromEntries(filled) };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource?: { uid: string };
  targets?: { expr: string }[];
}

describe('the dashboard', () => {
  const { panels } = JSON.parse(read('deploy/monitoring/grafana/store.json')) as { panels: Panel[] };

  test('has panels that do not overlap, each querying the chosen data source', () => {
    const taken = new Set<string>();
    for (const { gridPos, type, title, datasource, targets } of panels) {
      expect(title).not.toBe('');
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`)).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
      if (type === 'row') continue;
      expect(datasource).toMatchObject({ uid: `\${source}` });
      expect(targets!.length).toBeGreaterThan(0);
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('shows every metric that an alert watches', () => {
    const named = (text: string) => [...text.matchAll(/\b(?:store|nodejs)_\w+/g)].map(([name]) => name);
    const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => named(expr))));
    expect(rules.flatMap(({ expr }) => named(expr)).filter((name) => !shown.has(name))).toEqual([]);
  });
});
