/** What the alert rules say about each app, and the rules as the operator of Prometheus takes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { parse, stringify } from 'yaml';

/** Every process that answers requests has it; a relay has not. */
const metric = 'store_pool_connections_max';

/** An installation in which no process of the app is seen, labelled with the app. */
export const absent = (app: string): string =>
  `label_replace(store:installations unless on (namespace) ${metric}{app="${app}"}, "app", "${app}", "", "")`;

/** Part of rules.yaml. */
export const ruleParts = (): Record<string, string> => ({
  'absent apps': `expr: ${appNames.map(absent).join(' or ')}`,
});

/** Part of the PrometheusRule: the rules file, which the operator reads from no other place. */
export function operatorParts(): Record<string, string> {
  const rules = parse(readFileSync(path.join(import.meta.dirname, 'prometheus/rules.yaml'), 'utf8')) as object;
  return { 'alert rules': stringify(rules, { lineWidth: 0 }).trimEnd() };
}
