/** The annotations for Argo CD and Flux, and the variants of production. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames, apps } from '@store/contract';
import { repository } from '../../tools/local/data-dir.ts';
import { describeRendered, type Manifest, rendered, unlessKubectl } from './rendered.ts';

const production = rendered('overlays/production');
const of = (kind: string, among = production): Manifest[] => among.filter((one) => one.kind === kind);
const nameOf = ({ metadata }: Manifest): string => metadata.name;
const wave = ({ metadata }: Manifest) => Number(metadata.annotations['argocd.argoproj.io/sync-wave']);

describeRendered(`a tool that applies what is in git${unlessKubectl}`, () => {
  test('runs each Job again with a new image, and never because it is gone', () => {
    for (const { metadata, spec } of of('Job')) {
      expect([metadata.name, metadata.annotations]).toMatchObject([
        metadata.name,
        {
          'argocd.argoproj.io/hook': 'Sync',
          'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
          'kustomize.toolkit.fluxcd.io/force': 'enabled',
        },
      ]);
      expect([spec.ttlSecondsAfterFinished, spec.activeDeadlineSeconds]).toEqual([undefined, expect.any(Number)]);
    }
  });

  test('makes roles and topics, then migrates, then replaces each app before its callers', () => {
    const waves = new Map([...of('Job'), ...of('Deployment')].map((one) => [nameOf(one), wave(one)]));
    const all = (suffix: string) => appNames.map((app) => waves.get(`${app}${suffix}`)!);
    const installation = Math.max(waves.get('roles')!, waves.get('topics')!);
    expect(installation).toBeLessThan(Math.min(...all('-migration')));
    expect(Math.max(...all('-migration'))).toBeLessThan(Math.min(...all(''), ...all('-relay')));
    for (const app of appNames) {
      expect([app, waves.get(`${app}-relay`)]).toEqual([app, waves.get(app)]);
      for (const called of apps[app].calls) expect([app, called, waves.get(app)! > waves.get(called)!]).toEqual([app, called, true]);
    }
  });

  test('leaves the namespace, which holds the Secrets', () => {
    expect(of('Namespace')[0].metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
  });

  test("labels pods with package.json's version, and spreads the pods of one version", () => {
    const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
    for (const deployment of of('Deployment')) {
      expect(deployment.metadata.labels['app.kubernetes.io/version']).toBe(version);
      for (const spread of deployment.spec.template.spec.topologySpreadConstraints)
        expect(spread.matchLabelKeys).toEqual(['pod-template-hash']);
    }
  });
});

describeRendered(`a variant of production${unlessKubectl}`, () => {
  test('shared-relay has two relays for all apps in place of two for each', () => {
    const shared = rendered('overlays/shared-relay');
    const relays = of('Deployment', shared).filter((one) => nameOf(one).endsWith('-relay'));
    expect(relays.map((one) => [nameOf(one), one.spec.replicas])).toEqual([['gateway-relay', 2]]);
    const [{ command, env }] = relays[0].spec.template.spec.containers;
    expect(command).toEqual(['node', 'apps/gateway/src/run.ts', 'relay', '--all']);
    expect(Object.fromEntries(env.map(({ name, valueFrom }: Manifest) => [name, valueFrom.secretKeyRef]))).toEqual(
      Object.fromEntries(
        appNames.map((app) => [`${app.toUpperCase()}_DATABASE_URL`, { name: `store-${app}-database`, key: 'DATABASE_URL' }]),
      ),
    );
    const gone = production.filter((one) => !shared.some((other) => other.kind === one.kind && nameOf(other) === nameOf(one)));
    const others = appNames.filter((app) => app !== 'gateway').map((app) => `${app}-relay`);
    expect(gone.map((one) => `${one.kind} ${nameOf(one)}`).sort()).toEqual(
      [...others.map((name) => `Deployment ${name}`), ...others.map((name) => `PodDisruptionBudget ${name}`)].sort(),
    );
  });

  test('http-route has a Gateway API route instead of the Ingress, to the same Service', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'route-'));
    const from = (name: string) => path.relative(folder, path.join(import.meta.dirname, name));
    writeFileSync(
      path.join(folder, 'kustomization.yaml'),
      `resources: [${from('overlays/production/gateway')}]\ncomponents: [${from('http-route')}]\n`,
    );
    const variant = rendered(path.relative(import.meta.dirname, folder));
    rmSync(folder, { recursive: true });
    expect(of('Ingress', variant)).toEqual([]);
    const [route] = of('HTTPRoute', variant);
    const [rule] = of('Ingress')[0].spec.rules;
    expect(route.spec.hostnames).toEqual([rule.host]);
    const { name, port } = route.spec.rules[0].backendRefs[0];
    expect(of('Service', variant).map((one) => [nameOf(one), one.spec.ports[0].port])).toContainEqual([name, port]);
    expect(of('Deployment', variant)).toEqual(of('Deployment').filter((one) => /^gateway/.test(nameOf(one))));
  });
});
