/** The manifests as kubectl renders them, held to the registry of apps, to what the apps read, and to what a pod must be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { type AppName, appNames, apps, doorsOf, type ServiceName } from '@store/contract';
import { addressVariable, keysVariable, listenVariable, pairsOf, processSettings } from '@store/service';
import { parseAllDocuments } from 'yaml';
import { settingsOfApps } from '../../tools/dev/settings-doc.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { newKubernetesSecrets } from '../../tools/local/new-secrets.ts';
import { describeRendered, type Manifest, rendered, unlessKubectl } from './rendered.ts';

const production = rendered('overlays/production');
const named = (kind: string, name: string): Manifest => production.find((one) => one.kind === kind && one.metadata.name === name);
const podOf = (workload: Manifest): Manifest => workload.spec.template.spec;

/** Settings in each Secret: those that `npm run secrets` makes, and those that may be absent. */
const settingsIn: Record<string, string[]> = {
  ...Object.fromEntries(
    parseAllDocuments(newKubernetesSecrets({ postgres: 'db:5432', database: 'store', redis: 'r:6379' }))
      .map((document) => document.toJS())
      .map(({ metadata, stringData }) => [metadata.name, Object.keys(stringData)]),
  ),
  'store-kafka': ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
  'store-traces': ['OTEL_TRACES_SAMPLER_KEY'],
  'store-service-keys': ['SERVICE_KEYS'],
};

const secretsOf = (workload: Manifest): Manifest[] =>
  podOf(workload)
    .containers[0].envFrom.map(({ secretRef }: Manifest) => secretRef)
    .filter(Boolean);
/** The settings of a workload's ConfigMap, which is there under that very name. */
function configOf(workload: Manifest): Record<string, string> {
  const ref = podOf(workload).containers[0].envFrom.find(({ configMapRef }: Manifest) => configMapRef)?.configMapRef.name;
  expect(ref).toMatch(/^store-\w+-[a-z0-9]{10}$/);
  return named('ConfigMap', ref).data;
}

describeRendered(`each app${unlessKubectl}`, () => {
  test.each(appNames)('%s has everything of its own, named and labelled after it, and is rendered alone', (app: AppName) => {
    const own = rendered(`overlays/production/${app}`);
    const kinds = ['ConfigMap', 'Deployment', 'Deployment', 'HorizontalPodAutoscaler', ...(app === 'gateway' ? ['Ingress'] : []), 'Job'];
    const policies = own.filter(({ kind }) => kind === 'NetworkPolicy').map(({ kind }) => kind);
    const budgets = ['PodDisruptionBudget', 'PodDisruptionBudget'];
    expect(own.map(({ kind }) => kind).sort()).toEqual([...kinds, ...policies, ...budgets, 'Service', 'ServiceAccount']);
    for (const { kind, metadata } of own) {
      expect([kind, metadata.name]).toEqual([kind, expect.stringMatching(new RegExp(`^(store-)?${app}(-|$)`))]);
      expect([kind, metadata.namespace]).toEqual([kind, 'store']);
      if (kind === 'Ingress') continue;
      expect([kind, metadata.labels]).toMatchObject([kind, { 'app.kubernetes.io/name': app, 'app.kubernetes.io/part-of': 'store' }]);
    }
    expect(JSON.stringify(own)).not.toMatch(/store-app|apps\/app\/|"app"/);
    for (const object of own) expect(production).toContainEqual(object);
  });

  test.each(appNames)('%s is given every setting that has no default, and none that it does not read', (app) => {
    const declared = { ...settingsOfApps[app]!, ...processSettings };
    const workload = named('Deployment', app);
    const given = [...Object.keys(configOf(workload)), ...secretsOf(workload).flatMap(({ name }) => settingsIn[name]!)];
    const required = Object.entries(settingsOfApps[app]!).filter(([, { default: fallback }]) => fallback === undefined);
    expect(given).toEqual(expect.arrayContaining([...required.map(([name]) => name), 'KAFKA_BROKERS', ...pairsOf(app).map(keysVariable)]));
    expect(given.filter((name) => !(name in declared))).toEqual([]);
    expect(new Set(given).size).toBe(given.length);
  });

  test.each(appNames)('%s knows the keys of its own calls alone', (app) => {
    const names = secretsOf(named('Deployment', app)).flatMap(({ name }) => settingsIn[name]!);
    expect(names.filter((name) => name.includes('_TO_')).sort()).toEqual(pairsOf(app).map(keysVariable).sort());
  });

  test.each(appNames)('%s leaves its events to two relays with less processor and no keys of calls', (app) => {
    const relay = named('Deployment', `${app}-relay`);
    expect(configOf(named('Deployment', app)).RELAY).toBe('elsewhere');
    expect(relay.spec.replicas).toBe(2);
    expect(podOf(relay).priorityClassName).toBe('store-background');
    const [container] = podOf(relay).containers;
    expect(container).toMatchObject({ command: ['node', `apps/${app}/src/run.ts`, 'relay'], resources: { requests: { cpu: '100m' } } });
    expect(secretsOf(relay).map(({ name }) => name)).toEqual([`store-${app}-database`, 'store-kafka', 'store-traces']);
    const { command, envFrom } = podOf(named('Job', `${app}-migration`)).containers[0];
    expect([command, envFrom]).toEqual([
      ['node', `apps/${app}/src/run.ts`, 'migrate'],
      [{ secretRef: { name: `store-${app}-database` } }, { secretRef: { name: `store-${app}-migration`, optional: true } }],
    ]);
  });

  test.each(appNames)("%s listens at the registry's ports, and finds each service that it calls there", (app) => {
    const doors = app === 'gateway' ? [] : doorsOf(app as ServiceName);
    const called = apps[app].calls as readonly ServiceName[];
    const wanted = Object.fromEntries([
      ...doors.map(({ door, port }) => [listenVariable(door), `0.0.0.0:${port}`]),
      ...called.flatMap((name) => doorsOf(name).map(({ door, port }) => [addressVariable(door), `${name}:${port}`])),
    ]);
    const given = Object.entries(configOf(named('Deployment', app))).filter(([name]) => /_(LISTEN|ADDRESS)$/.test(name));
    expect(Object.fromEntries(given)).toEqual(wanted);
    const { clusterIP, ports } = named('Service', app).spec;
    const containerPorts = new Map(
      podOf(named('Deployment', app)).containers[0].ports.map((one: Manifest) => [one.name, one.containerPort]),
    );
    const reached = ports.map(({ port, targetPort }: Manifest) => [port, containerPorts.get(targetPort)]);
    if (app === 'gateway') expect([clusterIP, reached]).toEqual([undefined, [[80, apps.gateway.port]]]);
    else expect([clusterIP, reached]).toEqual(['None', doors.map(({ port }) => [port, port])]);
  });

  test.each(appNames)('%s is probed for its own progress, and has time to stop', (app) => {
    const pod = podOf(named('Deployment', app));
    const [container] = pod.containers;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const target = probe === 'readinessProbe' ? '/readyz' : '/healthz';
      expect(container[probe]).toMatchObject({ httpGet: { path: target, port: 'health' }, timeoutSeconds: 3 });
    }
    expect(container.startupProbe.periodSeconds * container.startupProbe.failureThreshold).toBe(60);
    const stopMax = Number(
      /stopMaxMs = (\d+)_000/.exec(readFileSync(path.join(repository, 'libs/service/src/run-process.ts'), 'utf8'))![1],
    );
    const before = container.lifecycle.preStop.sleep.seconds + 5;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(before + stopMax + 5);
  });

  test.each(appNames)('%s is spread, replaced one by one without a gap, and evicted one at a time', (app) => {
    const { spec } = named('Deployment', app);
    const labels = { 'app.kubernetes.io/name': app, 'app.kubernetes.io/component': 'service', 'app.kubernetes.io/part-of': 'store' };
    expect(spec.template.metadata.labels).toMatchObject(labels);
    expect(podOf({ spec }).topologySpreadConstraints.map((one: Manifest) => [one.topologyKey, one.labelSelector.matchLabels])).toEqual([
      ['kubernetes.io/hostname', labels],
      ['topology.kubernetes.io/zone', labels],
    ]);
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(named('Service', app).spec.selector).toEqual(labels);
    expect(named('HorizontalPodAutoscaler', app).spec).toMatchObject({ minReplicas: 2, scaleTargetRef: { name: app } });
  });

  test.each(appNames)('in production %s speaks TLS with apps and Kafka, by its certificate files', (app) => {
    const folder = '/etc/store/certificates';
    const files = { GRPC_TLS_CERT: `${folder}/tls.crt`, GRPC_TLS_KEY: `${folder}/tls.key`, GRPC_TLS_CA: `${folder}/ca.crt` };
    expect(configOf(named('Deployment', app))).toMatchObject({ KAFKA_SSL: 'true', ...files });
  });
});
