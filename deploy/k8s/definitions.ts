/** Definitions of PodMonitor and PrometheusRule, from the module of the Prometheus operator; fetched once. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from '../../tools/local/cannot-start.ts';
import { placeOf } from '../../tools/local/go-tool.ts';

const operator = { name: 'prometheus-operator', version: 'v0.85.0' };
const module = `github.com/prometheus-operator/prometheus-operator@${operator.version}`;
const dir = placeOf(operator);

/** Names of the resources, and the file of each. */
export const definitions: Record<string, string> = Object.fromEntries(
  ['podmonitors', 'prometheusrules'].map((name) => [name, path.join(dir, `monitoring.coreos.com_${name}.yaml`)]),
);

export const areFetched = (): boolean => Object.values(definitions).every((file) => existsSync(file));

export function fetchDefinitions(): void {
  if (areFetched()) return;
  const { stdout, error } = spawnSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  const { Dir: source, Error: cause = error?.message } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string };
  if (!source) throw new CannotStart(`The definitions of ${module} could not be fetched: ${cause}`);
  mkdirSync(dir, { recursive: true });
  for (const file of Object.values(definitions)) cpSync(path.join(source, 'example/prometheus-operator-crd', path.basename(file)), file);
}
