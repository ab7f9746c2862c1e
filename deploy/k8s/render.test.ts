/** The overlays as kubectl renders them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as the documents that they are.
type Manifest = any;

function render(overlay: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('kubectl', ['kustomize', path.join(import.meta.dirname, 'overlays', overlay)], { encoding: 'utf8' });
}

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const describeWithKubectl = hasKubectl ? describe : describe.skip;
const why = hasKubectl ? '' : ' (skipped: there is no kubectl on the PATH)';

describeWithKubectl(`kubectl kustomize${why}`, () => {
  const rendered: Record<string, Manifest[]> = {};
  beforeAll(() => {
    for (const overlay of ['dev', 'production']) {
      const { status, stdout, stderr } = render(overlay);
      expect([status, stderr]).toEqual([0, '']);
      rendered[overlay] = parseAllDocuments(stdout).map((document) => document.toJS());
    }
  });
  const of = (overlay: string, kind: string) => rendered[overlay]!.filter((one) => one.kind === kind);

  test.each(['dev', 'production'])('%s has a workload of each app, in the namespace store', (overlay) => {
    expect(
      of(overlay, 'Deployment')
        .map((one) => one.metadata.name)
        .sort(),
    ).toEqual(appNames.flatMap((app) => [app, `${app}-relay`]).sort());
    const namespaced = rendered[overlay]!.filter(({ kind }) => kind !== 'Namespace' && kind !== 'PriorityClass');
    expect(new Set(namespaced.map((one) => one.metadata.namespace))).toEqual(new Set(['store']));
  });

  test('production names every image by its digest', () => {
    for (const kind of ['Deployment', 'Job'])
      for (const { spec } of of('production', kind))
        for (const { image } of spec.template.spec.containers) expect(image).toMatch(/^[\w.]+\/store-\w+@sha256:[0-9a-f]{64}$/);
  });

  test('every ConfigMap that a pod names is there, under a name that changes with its content', () => {
    for (const overlay of ['dev', 'production']) {
      const maps = of(overlay, 'ConfigMap').map((one) => one.metadata.name);
      for (const { spec } of [...of(overlay, 'Deployment'), ...of(overlay, 'Job')])
        for (const { envFrom = [] } of spec.template.spec.containers)
          for (const { configMapRef } of envFrom) {
            expect(maps).toContain(configMapRef.name);
            expect(configMapRef.name).toMatch(/^store-\w+-[a-z0-9]{10}$/);
          }
    }
  });

  test('dev runs one pod of each, which may be evicted', () => {
    for (const { spec } of of('dev', 'HorizontalPodAutoscaler')) expect([spec.minReplicas, spec.maxReplicas]).toEqual([1, 1]);
    for (const { metadata, spec } of of('dev', 'Deployment'))
      expect([metadata.name, spec.replicas]).toEqual([metadata.name, metadata.name.endsWith('-relay') ? 1 : undefined]);
    expect(of('dev', 'PodDisruptionBudget')).toHaveLength(2 * appNames.length);
    for (const { spec } of of('dev', 'PodDisruptionBudget')) expect(spec.minAvailable).toBe(0);
  });

  test.each(appNames)('%s is rendered alone, with nothing of another app', (app) => {
    const { status, stdout } = render(`production/${app}`);
    expect(status).toBe(0);
    const documents: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJS());
    const labelled = documents.filter((one) => one.metadata.labels);
    expect(new Set(labelled.map((one) => one.metadata.labels['app.kubernetes.io/name']))).toEqual(new Set([app]));
  });
});
