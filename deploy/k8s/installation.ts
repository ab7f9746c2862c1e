/** What the apps share: priorities, the closed network, topics, roles, and what Prometheus is told. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { parse } from 'yaml';
import { defaultDeny, jobPolicy } from './network.ts';
import { metadataOf } from './pods.ts';
import { configOf, secretsOf } from './settings.ts';
import { job } from './workloads.ts';

const partOfStore = { 'app.kubernetes.io/part-of': 'store' };
export const rulesFile = path.join(import.meta.dirname, '../monitoring/prometheus/rules.yaml');

const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'store',
    labels: { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' },
  },
};

const priority = (name: string, value: number, description: string) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: metadataOf(name, partOfStore),
  value,
  preemptionPolicy: 'PreemptLowerPriority',
  description,
});

const podMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: metadataOf('store', partOfStore),
  spec: {
    selector: {
      matchLabels: partOfStore,
      matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values: ['service', 'relay'] }],
    },
    podMetricsEndpoints: [{ port: 'health', path: '/metrics', interval: '30s', scrapeTimeout: '10s' }],
  },
};

const kafkaSettings = ['KAFKA_BROKERS', 'KAFKA_SSL', 'KAFKA_SASL_MECHANISM', 'KAFKA_PREFIX', 'EVENT_RETENTION_DAYS'];

/** Literals of the ConfigMap of the topics. */
export const topicsConfig = Object.fromEntries(Object.entries(configOf('catalog')).filter(([name]) => kafkaSettings.includes(name)));

/** Files of the folder, by name. */
export function installation(): Record<string, object[]> {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: object[] };
  const topics = job({
    ...{ app: 'catalog', name: 'topics', component: 'topics', args: ['topics', '--partitions', '6'] },
    env: secretsOf('catalog', ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']),
    envFrom: [{ configMapRef: { name: 'store-topics' } }],
  });
  const passwords = appNames.map((app) => `${app.toUpperCase()}_DATABASE_PASSWORD`);
  const roles = job({
    ...{ app: 'catalog', name: 'roles', component: 'roles', args: ['roles'] },
    env: ['DATABASE_URL', ...passwords].map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'store-database-admin', key: name } },
    })),
    envFrom: [],
  });
  return {
    namespace: [namespace],
    priorities: [
      priority('store-serving', 1_000, 'Answers requests.'),
      priority('store-background', 500, 'Delivers and prepares; what it does waits in a database meanwhile.'),
    ],
    network: [defaultDeny, jobPolicy('catalog', 'topics', 'topics', 'kafka'), jobPolicy('catalog', 'roles', 'roles', 'postgresql')],
    topics: [topics],
    roles: [roles],
    monitoring: [
      podMonitor,
      { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: metadataOf('store', partOfStore), spec: { groups } },
    ],
  };
}
