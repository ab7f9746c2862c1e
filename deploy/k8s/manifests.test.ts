/** The manifests as they lie in the repository, held to the registry of apps, to what the apps read, and to what a pod must be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type AppName, appNames, apps, doorsOf, type ServiceName } from '@store/contract';
import { keysVariable, pairsOf, processSettings } from '@store/service';
import { parse } from 'yaml';
import { judgeHeapMb } from '../../apps/gateway/src/staff/new-password.ts';
import { hashingBytesMax } from '../../apps/gateway/src/staff/passwords.ts';
import { classifyAddress } from '../../apps/webhooks/src/deliveries/classify-address.ts';
import { settingsOfApps } from '../../tools/dev/settings-doc.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { documentsBelow, documentsOfBase, filesBelow, type Manifest } from './base-documents.ts';
import { manifests } from './generate.ts';
import { rulesFile } from './installation.ts';

const documentsOf = documentsBelow;
/** Of the app itself, not of its relay. */
const only = (documents: Manifest[], kind: string): Manifest =>
  documents.find((one) => one.kind === kind && !one.metadata?.name.endsWith('-relay'));
const named = (documents: Manifest[], kind: string, name: string): Manifest =>
  documents.find((one) => one.kind === kind && one.metadata.name === name);

const base = documentsOfBase();
const workloads: [string, Manifest][] = base
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((one) => [`${one.kind} ${one.metadata.name}`, one]);
const podOf = (workload: Manifest): Manifest => workload.spec.template.spec;

test('the files are what the registry of apps and their settings give (npm run manifests writes them)', () => {
  const wanted = manifests();
  expect([...filesBelow('base'), ...filesBelow('overlays')].sort()).toEqual([...wanted.keys()].sort());
  for (const [file, text] of wanted) expect([file, readFileSync(path.join(import.meta.dirname, file), 'utf8')]).toEqual([file, text]);
});

describe.each(appNames)('%s', (app: AppName) => {
  const own = documentsOf(`base/${app}`);
  const kustomization = only(own, 'Kustomization');
  const config: Record<string, string> = Object.fromEntries(
    kustomization.configMapGenerator[0].literals.map((literal: string) => literal.split(/=(.*)/s).slice(0, 2)),
  );
  const pod = podOf(only(own, 'Deployment'));
  const [container] = pod.containers;
  const secrets: Manifest[] = container.env;

  test('has a workload, a Service, a number of pods, a budget of evictions, a closed network, a migration and a relay of its own', () => {
    const kinds = own.map(({ kind }) => kind).filter((kind) => kind !== 'Kustomization');
    const policies = ['NetworkPolicy', 'NetworkPolicy', 'NetworkPolicy'];
    const budgets = ['PodDisruptionBudget', 'PodDisruptionBudget'];
    const wanted = ['Deployment', 'Deployment', 'HorizontalPodAutoscaler', 'Job', ...policies, ...budgets, 'Service'];
    expect(kinds.sort()).toEqual(wanted);
    expect(kustomization.resources.sort()).toEqual(
      ['autoscaling', 'deployment', 'migration', 'network', 'relay', 'service'].map((name) => `${name}.yaml`),
    );
    expect(podOf(only(own, 'Job')).containers[0].command).toEqual(['node', `apps/${app}/src/run.ts`, 'migrate']);
  });

  test('is given every setting that has no default, and none that it does not read', () => {
    const declared = { ...settingsOfApps[app]!, ...processSettings };
    const given = [...Object.keys(config), ...secrets.map(({ name }) => name)];
    const required = Object.entries(settingsOfApps[app]!).filter(([, { default: fallback }]) => fallback === undefined);
    expect(given).toEqual(expect.arrayContaining([...required.map(([name]) => name), 'KAFKA_BROKERS', ...pairsOf(app).map(keysVariable)]));
    expect(given.filter((name) => !(name in declared))).toEqual([]);
  });

  test('leaves its events to two relays, which have less of the processor and reach PostgreSQL, Kafka and the collector alone', () => {
    const relay = named(own, 'Deployment', `${app}-relay`);
    expect(config.RELAY).toBe('elsewhere');
    expect(relay.spec.replicas).toBe(2);
    expect(podOf(relay)).toMatchObject({ priorityClassName: 'store-background' });
    expect(podOf(relay).containers[0]).toMatchObject({
      command: ['node', `apps/${app}/src/run.ts`, 'relay'],
      resources: { requests: { cpu: '100m' } },
    });
    const { egress } = named(own, 'NetworkPolicy', `${app}-relay`).spec;
    const reached = egress.slice(1).map((rule: Manifest) => rule.to[0].podSelector.matchLabels['app.kubernetes.io/name']);
    expect(reached).toEqual(['postgresql', 'kafka', 'opentelemetry-collector']);
  });

  test('has its secrets by reference alone', () => {
    for (const name of Object.keys(config)) expect(name).not.toMatch(/PASSWORD|PEPPERS|SECRET|_KEYS|DATABASE_URL|REDIS_URL/);
    for (const { value, valueFrom, name } of secrets) expect([value, valueFrom.secretKeyRef.key]).toEqual([undefined, name]);
  });

  test('listens for others, and finds each service that it calls under its name and port', () => {
    for (const [name, value] of Object.entries(config)) {
      if (name.endsWith('_LISTEN')) expect(value).toMatch(/^0\.0\.0\.0:/);
      if (!name.endsWith('_ADDRESS')) continue;
      const [called, port] = value.split(':');
      const { spec } = only(documentsOf(`base/${called}`), 'Service');
      expect(spec.clusterIP).toBe('None');
      expect(spec.ports.map((one: Manifest) => String(one.port))).toContain(port);
    }
    const addresses = (apps[app].calls as readonly ServiceName[]).flatMap(doorsOf).map(({ door }) => `${door.toUpperCase()}_ADDRESS`);
    expect(
      Object.keys(config)
        .filter((name) => name.endsWith('_ADDRESS'))
        .sort(),
    ).toEqual(addresses.sort());
  });

  test('is probed for its own progress, and has time to stop', () => {
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

  test('is spread, replaced one by one without a gap, and evicted one at a time', () => {
    expect(pod.topologySpreadConstraints.map((one: Manifest) => one.topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    expect(only(own, 'Deployment').spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(only(own, 'HorizontalPodAutoscaler').spec).toMatchObject({ minReplicas: 2, scaleTargetRef: { name: app } });
    expect(only(own, 'PodDisruptionBudget').spec).toMatchObject({ minAvailable: 1 });
    const labels = only(own, 'Deployment').spec.template.metadata.labels;
    expect(only(own, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(only(own, 'Service').spec.selector).toEqual(labels);
  });

  test('does not trace until the overlay names a collector, and then samples by a setting', () => {
    expect(config).toMatchObject({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '', OTEL_TRACES_SAMPLER_ARG: '0.01' });
  });
});

const running = workloads.filter(([, { kind }]) => kind === 'Deployment');

test.each(running)('%s is watched, keeps a pod while nodes are drained, and may send traces to the collector', (_name, workload) => {
  const { labels } = workload.spec.template.metadata;
  const [budget, second] = base.filter(
    ({ kind, spec }) => kind === 'PodDisruptionBudget' && isDeepStrictEqual(spec.selector.matchLabels, labels),
  );
  expect(second).toBeUndefined();
  expect(budget.spec).toMatchObject({ minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  const monitor = base.find(({ kind }) => kind === 'PodMonitor').spec;
  expect(labels).toMatchObject(monitor.selector.matchLabels);
  for (const { key, values } of monitor.selector.matchExpressions) expect(values).toContain(labels[key]);
  const ports = podOf(workload).containers[0].ports.map(({ name }: Manifest) => name);
  for (const { port } of monitor.podMetricsEndpoints) expect(ports).toContain(port);
  const policy = base.find(({ kind, spec }) => kind === 'NetworkPolicy' && isDeepStrictEqual(spec.podSelector.matchLabels, labels));
  expect(policy.spec.egress).toContainEqual({
    to: [
      {
        namespaceSelector: { matchLabels: { 'store-role': 'monitoring' } },
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'opentelemetry-collector' } },
      },
    ],
    ports: [{ protocol: 'TCP', port: 4_318 }],
  });
});

test('Prometheus is given the alert rules as they are', () => {
  const { groups } = parse(readFileSync(rulesFile, 'utf8'));
  expect(base.find(({ kind }) => kind === 'PrometheusRule').spec).toEqual({ groups });
});

test.each(workloads)(
  '%s runs without root and privileges, on a read-only file system, within limits, without a token',
  (_name, workload) => {
    const pod = podOf(workload);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      priorityClassName: expect.stringMatching(/^store-(serving|background)$/),
      securityContext: { runAsNonRoot: true, runAsUser: 1_000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const bound of ['requests', 'limits']) expect(Object.keys(container.resources[bound])).toEqual(['cpu', 'memory']);
    }
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod[field]).toBeUndefined();
  },
);

const mebibytes = (text: string): number => Number.parseInt(text, 10) * (/^\d+[Gg]i?$/.test(text) ? 1_024 : 1);

test.each(workloads)(
  '%s has memory for its heap, for what is beside it, and for the passwords that it hashes at a time',
  (name, workload) => {
    const most = mebibytes(podOf(workload).containers[0].resources.limits.memory);
    // V8 lets the heap grow to half of the limit; code, stacks and buffers were 80 to 100 MiB under load.
    const beside = 128;
    const hashing = name === 'Deployment gateway' ? hashingBytesMax / 2 ** 20 + judgeHeapMb : 0;
    expect(most / 2 + beside + hashing).toBeLessThanOrEqual(most);
  },
);

test.each(workloads)('%s finds the files of its certificates, and starts where there are none', (_name, workload) => {
  const { volumes, containers } = podOf(workload);
  const secretName = `store-${workload.spec.template.metadata.labels['app.kubernetes.io/name']}-certificates`;
  expect(volumes).toContainEqual({ name: 'certificates', secret: { secretName, optional: true, defaultMode: 0o440 } });
  expect(containers[0].volumeMounts).toContainEqual({ name: 'certificates', mountPath: '/etc/store/certificates', readOnly: true });
});

describe('the network', () => {
  const policies = base.filter(({ kind }) => kind === 'NetworkPolicy');
  const policyFor = (labels: object): Manifest =>
    policies.find((one) => JSON.stringify(one.spec.podSelector.matchLabels) === JSON.stringify(labels));
  const podsIn = (rules: Manifest[], side: 'from' | 'to'): string[] =>
    rules
      .flatMap((rule) => rule[side].map((peer: Manifest) => peer.namespaceSelector === undefined && peer.podSelector?.matchLabels))
      .filter(Boolean)
      .map((labels) => labels['app.kubernetes.io/name'])
      .sort();

  test('is closed to all pods, and opened for each workload by a policy of its own', () => {
    expect(policies.find((one) => one.metadata.name === 'default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const [, workload] of workloads)
      expect(policyFor(workload.spec.template.metadata.labels).spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  test.each(appNames)('lets %s call and be called as the registry says', (app) => {
    const { ingress, egress } = policies.find((one) => one.metadata.name === app).spec;
    const callers = appNames.filter((name) => (apps[name].calls as readonly string[]).includes(app));
    expect(podsIn(ingress, 'from')).toEqual([...callers].sort());
    expect(podsIn(egress, 'to')).toEqual([...apps[app].calls].sort());
  });

  test('has one way out into the world, that of webhooks, and none of it to an address that a webhook may not be sent to', () => {
    const out = policies.filter((one) => JSON.stringify(one.spec.egress ?? []).includes('ipBlock'));
    expect(out.map((one) => one.metadata.name)).toEqual(['webhooks']);
    const [v4, v6] = out[0].spec.egress.at(-1).to.map((peer: Manifest) => peer.ipBlock);
    expect([v4.cidr, v6.cidr]).toEqual(['0.0.0.0/0', '2000::/3']);
    for (const range of [...v4.except, ...v6.except]) expect([range, classifyAddress(range.split('/')[0])]).toEqual([range, 'blocked']);
    expect(v4.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']));
  });
});

test('work in the background has less weight than requests, and gives way to them', () => {
  const value = (name: string) => base.find((one) => one.kind === 'PriorityClass' && one.metadata.name === name).value;
  expect(value('store-background')).toBeLessThan(value('store-serving'));
  const cpuOf = (app: string) => podOf(only(documentsOf(`base/${app}`), 'Deployment')).containers[0].resources.requests.cpu;
  expect([cpuOf('catalog'), cpuOf('webhooks')]).toEqual(['250m', '100m']);
});

test.each(appNames)('in production %s speaks TLS with other apps and Kafka, by the files of its certificates', (app) => {
  const { literals } = only(documentsOf(`overlays/production/${app}`), 'Kustomization').configMapGenerator[0];
  const files = ['GRPC_TLS_CERT=tls.crt', 'GRPC_TLS_KEY=tls.key', 'GRPC_TLS_CA=ca.crt'].map((one) =>
    one.replace('=', '=/etc/store/certificates/'),
  );
  expect(literals).toEqual(expect.arrayContaining(['KAFKA_SSL=true', ...files]));
});
