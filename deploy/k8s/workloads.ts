/** Everything that one app needs, so that it is deployed, scaled and rolled back alone. */
import { type AppName, apps, doorsOf } from '@store/contract';
import { imageOf, labelsOf, metadataOf, podSpec, type Rank } from './pods.ts';
import { configOf, healthPort, isService, secretsOf } from './settings.ts';

/** Deliveries wait in the database; requests do not. */
const rankOf = (app: AppName): Rank => (app === 'webhooks' ? 'background' : 'serving');

/** Longer than what a service takes to stop (25 s) after its preStop and the gateway's time of not being ready (5 s each). */
const graceSeconds = 45;
/** Until the removal of an endpoint has reached every caller. */
const preStopSeconds = 5;
/** Until callers have found a new pod: DNS answers are kept for up to 30 s, and an old pod is stopped only after it. */
const minReadySeconds = 30;
const replicas = { least: 2, most: 8 };
/** Beside its heap a gateway hashes two passwords at a time, each in 128 MiB. */
const gatewayMemoryMax = '1Gi';

export const configMapOf = (app: AppName) => `store-${app}`;

/** Ports that others call, by name. */
export function portsOf(app: AppName): { name: string; port: number }[] {
  if (!isService(app)) return [{ name: 'http', port: apps[app].port }];
  return doorsOf(app).map(({ door, port }) => ({ name: door === app ? 'grpc' : door.slice(app.length + 1), port }));
}

const probe = (path: string, more: object) => ({ httpGet: { path, port: 'health' }, timeoutSeconds: 3, ...more });

// None asks PostgreSQL, Redis or Kafka: an outage of theirs must neither restart every process nor empty every Service.
const probes = {
  startupProbe: probe('/healthz', { periodSeconds: 2, failureThreshold: 30 }),
  livenessProbe: probe('/healthz', { periodSeconds: 10, failureThreshold: 3 }),
  readinessProbe: probe('/readyz', { periodSeconds: 5, failureThreshold: 2 }),
};

/** Over nodes and zones, as far as there are any: a machine that is lost takes one of the pods with it. */
const spreadOf = (matchLabels: object) => ({
  topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
  })),
});

export const relayOf = (app: AppName) => `${app}-relay`;

/** Publishes the app's events, with less of the processor than what answers requests. One of the two leads; the other takes over. */
export function relayDeployment(app: AppName): object {
  const labels = labelsOf(app, 'relay');
  const container = {
    name: 'relay',
    image: imageOf(app),
    command: ['node', `apps/${app}/src/run.ts`, 'relay'],
    ports: [{ name: 'health', containerPort: healthPort }],
    envFrom: [{ configMapRef: { name: configMapOf(app) } }],
    env: secretsOf(app, ['DATABASE_URL', 'KAFKA_SASL_PASSWORD', 'KAFKA_SASL_USERNAME']),
    ...probes,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(relayOf(app), labels),
    spec: {
      replicas: 2,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec({ app, rank: 'background', container, graceSeconds, more: spreadOf(labels) }) },
    },
  };
}

export function deployment(app: AppName): object {
  const labels = labelsOf(app, 'service');
  const ports = [...portsOf(app).map(({ name, port }) => ({ name, containerPort: port })), { name: 'health', containerPort: healthPort }];
  const container = {
    name: app,
    image: imageOf(app),
    ports,
    envFrom: [{ configMapRef: { name: configMapOf(app) } }],
    env: secretsOf(app),
    ...probes,
    lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(app, labels),
    // The number of replicas is the HorizontalPodAutoscaler's.
    spec: {
      revisionHistoryLimit: 5,
      minReadySeconds,
      progressDeadlineSeconds: 180,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec({
          app,
          rank: rankOf(app),
          container,
          ...(app === 'gateway' && { memoryMax: gatewayMemoryMax }),
          graceSeconds,
          more: spreadOf(labels),
        }),
      },
    },
  };
}

/** Headless for gRPC, whose client balances over the addresses of all pods. */
export function service(app: AppName): object {
  const ports = portsOf(app).map(({ name, port }) => ({
    name,
    port: isService(app) ? port : 80,
    targetPort: name,
    ...(name === 'grpc' && { appProtocol: 'kubernetes.io/h2c' }),
  }));
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(app, labelsOf(app, 'service')),
    spec: { ...(isService(app) && { clusterIP: 'None' }), selector: labelsOf(app, 'service'), ports },
  };
}

export function autoscaling(app: AppName): object[] {
  const metadata = metadataOf(app, labelsOf(app, 'service'));
  return [
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: app },
        minReplicas: replicas.least,
        maxReplicas: replicas.most,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    },
    evictionBudget(app, labelsOf(app, 'service')),
  ];
}

/** One pod stays while nodes are drained. Pods that do not become ready may be evicted, so that they do not hold up a drain. */
function evictionBudget(name: string, labels: object): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(name, labels),
    spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: labels } },
  };
}

export interface JobOptions {
  app: AppName;
  name: string;
  component: 'migration' | 'topics' | 'roles';
  args: string[];
  env: object[];
  envFrom: object[];
}

/** A command of an app's image that runs to its end. Its pods are not changed in place: it is deleted before it is applied again. */
export function job({ app, name, component, args, env, envFrom }: JobOptions): object {
  const labels = labelsOf(app, component);
  const container = { name: component, image: imageOf(app), command: ['node', `apps/${app}/src/run.ts`, ...args], envFrom, env };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadataOf(name, labels),
    spec: {
      backoffLimit: 10,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels },
        spec: podSpec({ app, rank: 'background', container, graceSeconds: 30, more: { restartPolicy: 'OnFailure' } }),
      },
    },
  };
}

export const relayBudget = (app: AppName): object => evictionBudget(relayOf(app), labelsOf(app, 'relay'));

export const migrationJob = (app: AppName): object =>
  job({ app, name: `${app}-migration`, component: 'migration', args: ['migrate'], env: secretsOf(app, ['DATABASE_URL']), envFrom: [] });

export { configOf };
