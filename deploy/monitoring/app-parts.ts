/** What the alert rules say about each app. */
import { appNames } from '@store/contract';

/** Every process that answers requests has it; a relay has not. */
const metric = 'store_pool_connections_max';

/** An installation in which no process of the app is seen, labelled with the app. */
export const absent = (app: string): string =>
  `label_replace(store:installations unless on (namespace) ${metric}{app="${app}"}, "app", "${app}", "", "")`;

/** Part of alerts.yaml. */
export const ruleParts = (): Record<string, string> => ({
  'absent apps': `expr: ${appNames.map(absent).join(' or ')}`,
});
