/** What the alert rules and their tests say about each app, and the rules as the operator of Prometheus takes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { parse, stringify } from 'yaml';

/** Every process that answers requests has it; a relay has not. */
const metric = 'store_pool_connections_max';

/** Part of rules.yaml. `absent` names what it misses, so that an app is missed which Prometheus has never seen. */
export const ruleParts = (): Record<string, string> => ({
  'absent apps': `expr: ${appNames.map((app) => `absent(${metric}{app="${app}"})`).join(' or ')}`,
});

/** Part of rules.test.yaml, in which sales is absent. */
export const ruleTestParts = (): Record<string, string> => ({
  'all apps but sales': appNames
    .filter((app) => app !== 'sales')
    .map((app) => `- series: ${metric}{app="${app}",instance="a"}\n  values: 10x20`)
    .join('\n'),
});

/** Part of the PrometheusRule: the rules file, which the operator reads from no other place. */
export function operatorParts(): Record<string, string> {
  const rules = parse(readFileSync(path.join(import.meta.dirname, 'prometheus/rules.yaml'), 'utf8')) as object;
  return { 'alert rules': stringify(rules, { lineWidth: 0 }).trimEnd() };
}
