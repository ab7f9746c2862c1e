/** The overlays as a real API server judges them, where `npm run manifests -- --check` has built it. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiServer } from './api-server.ts';
import { faultsInText, faultsOf, notAtOnce, openJudge, wholes } from './check.ts';

const withinMs = 180_000;
const why = notAtOnce();

(why ? describe.skip : describe)(`the API server of Kubernetes${why ? ` (skipped: ${why})` : ''}`, () => {
  let server: ApiServer;
  let catalog: string;
  beforeAll(async () => {
    const started = await openJudge(() => undefined);
    if ('skipped' in started) throw new Error(started.skipped);
    server = started;
    const folders = ['production/catalog', 'production/installation'].map((folder) => path.join(import.meta.dirname, 'overlays', folder));
    catalog = folders.map((folder) => spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' }).stdout).join('---\n');
  }, withinMs);
  afterAll(() => server?.close(), withinMs);

  test.each(wholes)('accepts every object of %s, without a warning', (overlay) => expect(faultsOf(server, overlay)).toEqual([]), withinMs);

  test.each([
    ['a port that does not exist', 'containerPort: 9090', 'containerPort: 99090', /Invalid value: 99090/],
    [
      'a pod that may gain privileges',
      'allowPrivilegeEscalation: false',
      'allowPrivilegeEscalation: true',
      /Warning: .*allowPrivilegeEscalation/,
    ],
    ['a field with a wrong name', 'minAvailable: 1', 'minAvailible: 1', /unknown field "spec\.minAvailible"/],
    ['a metric that scales by nothing', 'averageUtilization: 70', 'averageUtilization: 0', /averageUtilization: Invalid value: 0/],
    ['a monitor that asks at no interval', 'interval: 30s', 'interval: often', /podMetricsEndpoints\[0\]\.interval/],
  ])('refuses %s', (_what, good, bad, reason) => {
    const planted = catalog.replace(good, bad);
    expect(planted).not.toBe(catalog);
    expect(faultsInText(server, planted).join('\n')).toMatch(reason);
  });
});
