/** Rules for every pod of both overlays, and for what the apps share. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { judgeHeapMb } from '../../apps/gateway/src/staff/new-password.ts';
import { hashingBytesMax } from '../../apps/gateway/src/staff/passwords.ts';
import { describeRendered, type Manifest, rendered, unlessKubectl } from './rendered.ts';

const overlays = ['dev', 'production'];
const objects: Record<string, Manifest[]> = Object.fromEntries(overlays.map((overlay) => [overlay, rendered(`overlays/${overlay}`)]));
const production = objects.production!;
const of = (overlay: string, ...kinds: string[]) => objects[overlay]!.filter(({ kind }) => kinds.includes(kind));
const workloads = (overlay: string) =>
  of(overlay, 'Deployment', 'Job').map((one): [string, Manifest] => [`${one.kind} ${one.metadata.name}`, one]);
const podOf = (workload: Manifest): Manifest => workload.spec.template.spec;
const mebibytes = (text: string): number => Number.parseInt(text, 10) * (/^\d+[Gg]i?$/.test(text) ? 1_024 : 1);

describeRendered.each(overlays)(`%s${unlessKubectl}`, (overlay) => {
  test('has a service, a relay and a migration of each app, in the namespace store', () => {
    const names = ['', '-relay', '-migration'].flatMap((suffix) => appNames.map((app) => `${app}${suffix}`));
    expect(
      workloads(overlay)
        .map(([, { metadata }]) => metadata.name)
        .sort(),
    ).toEqual([...names, 'roles', 'topics'].sort());
    const namespaced = objects[overlay]!.filter(({ kind }) => kind !== 'Namespace' && kind !== 'PriorityClass');
    expect(new Set(namespaced.map((one) => one.metadata.namespace))).toEqual(new Set(['store']));
  });

  test('runs every pod without root, privileges and token, read-only, within limits', () => {
    for (const [name, workload] of workloads(overlay)) {
      const pod = podOf(workload);
      expect([name, pod]).toMatchObject([
        name,
        {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          priorityClassName: expect.stringMatching(/^store-(serving|background)$/),
          securityContext: { runAsNonRoot: true, runAsUser: 1_000, seccompProfile: { type: 'RuntimeDefault' } },
        },
      ]);
      const [container, second] = pod.containers;
      expect([name, second, container.securityContext]).toEqual([
        name,
        undefined,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
      for (const bound of ['requests', 'limits'])
        expect([name, Object.keys(container.resources[bound])]).toEqual([name, ['cpu', 'memory']]);
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect([name, pod[field]]).toEqual([name, undefined]);
    }
  });

  test('gives every pod memory for heap, the rest, and passwords hashed at a time', () => {
    // V8 lets the heap grow to half of the limit; code, stacks and buffers were 80 to 100 MiB under load.
    const beside = 128;
    for (const [name, workload] of workloads(overlay)) {
      const most = mebibytes(podOf(workload).containers[0].resources.limits.memory);
      const hashing = name === 'Deployment gateway' ? hashingBytesMax / 2 ** 20 + judgeHeapMb : 0;
      expect([name, most / 2 + beside + hashing <= most]).toEqual([name, true]);
    }
  });

  test('gives every pod its certificate files, and starts it where there are none', () => {
    for (const [name, workload] of workloads(overlay)) {
      const secretName = `store-${workload.spec.template.metadata.labels['app.kubernetes.io/name']}-certificates`;
      const { volumes, containers } = podOf(workload);
      expect([name, volumes]).toEqual([
        name,
        expect.arrayContaining([{ name: 'certificates', secret: { secretName, optional: true, defaultMode: 0o440 } }]),
      ]);
      expect(containers[0].volumeMounts).toContainEqual({ name: 'certificates', mountPath: '/etc/store/certificates', readOnly: true });
    }
  });

  test('gives every pod settings and secrets by reference, and a service account', () => {
    const accounts = of(overlay, 'ServiceAccount').map(({ metadata }) => metadata.name);
    const maps = of(overlay, 'ConfigMap');
    for (const [name, workload] of workloads(overlay)) {
      const { serviceAccountName, containers } = podOf(workload);
      expect([name, accounts]).toEqual([name, expect.arrayContaining([serviceAccountName])]);
      expect([name, containers[0].env]).toEqual([name, undefined]);
      for (const { configMapRef } of containers[0].envFrom)
        if (configMapRef) expect(maps.map(({ metadata }) => metadata.name)).toContain(configMapRef.name);
    }
    for (const { data } of maps)
      for (const name of Object.keys(data)) expect(name).not.toMatch(/PASSWORD|PEPPERS|SECRET|_KEYS|DATABASE_URL|REDIS_URL/);
  });

  test('watches every service and relay, and keeps a pod of each in a drain, but for dev', () => {
    const monitor = of(overlay, 'PodMonitor')[0].spec;
    for (const workload of of(overlay, 'Deployment')) {
      const { labels } = workload.spec.template.metadata;
      const { matchLabels } = workload.spec.selector;
      const budgets = of(overlay, 'PodDisruptionBudget').filter(({ spec }) => isDeepStrictEqual(spec.selector.matchLabels, matchLabels));
      const least = overlay === 'dev' ? 0 : 1;
      expect(budgets.map(({ spec }) => [spec.minAvailable, spec.unhealthyPodEvictionPolicy])).toEqual([[least, 'AlwaysAllow']]);
      expect(labels).toMatchObject(monitor.selector.matchLabels);
      for (const { key, values } of monitor.selector.matchExpressions) expect(values).toContain(labels[key]);
      const ports = podOf(workload).containers[0].ports.map(({ name }: Manifest) => name);
      for (const { port } of monitor.podMetricsEndpoints) expect(ports).toContain(port);
    }
  });

  test('labels every object of the installation as one instance, and no selector by it', () => {
    const labelled = { 'app.kubernetes.io/instance': 'store', 'app.kubernetes.io/managed-by': 'kustomize' };
    for (const { kind, metadata, spec } of objects[overlay]!) {
      expect([kind, metadata.name, metadata.labels]).toMatchObject([kind, metadata.name, labelled]);
      expect(JSON.stringify([spec?.selector, spec?.podSelector])).not.toMatch(/instance|version|managed-by/);
    }
  });
});

describeRendered(`the overlays${unlessKubectl}`, () => {
  test('production names every image by its digest', () => {
    for (const [, workload] of workloads('production'))
      expect(podOf(workload).containers[0].image).toMatch(/^[\w.]+\/store-\w+@sha256:[0-9a-f]{64}$/);
  });

  test('Kafka is named in one place for all apps and the Job that makes its topics', () => {
    for (const overlay of overlays) {
      const settings = of(overlay, 'ConfigMap').map(({ data }) =>
        Object.entries(data).filter(([name]) => /^(KAFKA_|EVENT_RETENTION)/.test(name)),
      );
      expect(settings).toHaveLength(appNames.length + 1);
      expect(new Set(settings.map((one) => JSON.stringify(one))).size).toBe(1);
    }
  });

  test('work in the background has less weight than requests, and gives way to them', () => {
    const find = (kind: string, name: string) => production.find((one) => one.kind === kind && one.metadata.name === name);
    expect(find('PriorityClass', 'store-background').value).toBeLessThan(find('PriorityClass', 'store-serving').value);
    const weightOf = (app: string) => {
      const { priorityClassName, containers } = podOf(find('Deployment', app));
      return [priorityClassName, containers[0].resources.requests.cpu];
    };
    expect([weightOf('catalog'), weightOf('webhooks')]).toEqual([
      ['store-serving', '250m'],
      ['store-background', '100m'],
    ]);
  });
});
