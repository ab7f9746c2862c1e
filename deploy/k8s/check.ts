/**
 * `npm run manifests -- --check`: base and overlays, whole and app by app, as a real API server judges them (a dry run on the
 * server: schema, defaults, validation, Pod Security). Where it cannot be had, kubeconform compares them with the schemas.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { goTool } from '../../tools/local/go-tool.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const namespace = 'store';
/** Its module has the definitions of PodMonitor and PrometheusRule. */
const prometheusOperator = 'github.com/prometheus-operator/prometheus-operator@v0.86.1';
const definitions = ['podmonitors', 'prometheusrules'];
const kubeconform = {
  name: 'kubeconform',
  main: 'github.com/yannh/kubeconform/cmd/kubeconform',
  module: 'github.com/yannh/kubeconform',
  version: 'v0.7.0',
};

/** Folders of kustomize, each of which can be applied by itself. */
export const folders: string[] = ['installation', ...appNames].flatMap((name) => [
  `base/${name}`,
  ...['dev', 'production'].map((overlay) => `overlays/${overlay}/${name}`),
]);
const wholes = ['overlays/dev', 'overlays/production'];

/** Returns whether every folder was accepted. */
export async function checkManifests(log: (line: string) => void): Promise<boolean> {
  const server = await startApiServer(log);
  if ('skipped' in server) {
    log(`No API server: ${server.skipped}. The manifests are compared with the schemas of kubeconform`);
    return compareWithSchemas(log);
  }
  try {
    prepare(server, log);
    let accepted = 0;
    const all = [...folders, ...wholes];
    for (const folder of all) {
      const faults = faultsOf(server, folder);
      if (faults.length === 0) accepted += 1;
      for (const fault of faults) log(`${folder}: ${fault}`);
    }
    log(`The API server accepts ${accepted} of ${all.length} folders`);
    return accepted === all.length;
  } finally {
    await server.close();
  }
}

/** What a dry run needs to be there: the namespace, and the definitions of what Prometheus is told. */
function prepare(server: ApiServer, log: (line: string) => void): void {
  expectDone(server.kubectl(['apply', '-f', path.join(import.meta.dirname, 'base/installation/namespace.yaml')]));
  const operator = spawnSync('go', ['mod', 'download', '-json', prometheusOperator], { encoding: 'utf8' });
  const { Dir: dir } = JSON.parse(operator.stdout || '{}') as { Dir?: string };
  if (!dir) throw new Error(`${prometheusOperator} could not be fetched: ${operator.stderr}`);
  for (const name of definitions) {
    const file = path.join(dir, `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`);
    if (!existsSync(file)) throw new Error(`${prometheusOperator} has no ${file}`);
    // Applied by the server: the definitions are longer than the annotation of a client's apply.
    expectDone(server.kubectl(['apply', '--server-side', '-f', '-'], readFileSync(file, 'utf8')));
    expectDone(server.kubectl(['wait', '--for=condition=Established', '--timeout=60s', `crd/${name}.monitoring.coreos.com`]));
  }
  log('The API server is ready');
}

function expectDone({ status, warnings }: ReturnType<ApiServer['kubectl']>): void {
  if (status !== 0) throw new Error(warnings);
}

/** Errors and warnings: a pod that Pod Security would refuse is a warning about its Deployment. */
export function faultsOf({ kubectl }: Pick<ApiServer, 'kubectl'>, folder: string): string[] {
  const { status, warnings } = kubectl([
    ...['apply', '-k', path.join(import.meta.dirname, folder), '--dry-run=server', '--validate=strict', '--output=name'],
    ...(folder.startsWith('base/') && !folder.endsWith('/installation') ? ['--namespace', namespace] : []),
  ]);
  const lines = warnings.split('\n').filter((line) => line.trim() !== '');
  return status !== 0 && lines.length === 0 ? [`kubectl ended with ${status}`] : lines;
}

async function compareWithSchemas(log: (line: string) => void): Promise<boolean> {
  const binary = await goTool(kubeconform, log);
  if (typeof binary !== 'string') {
    log(`Skipped: ${binary.skipped}`);
    return true;
  }
  let accepted = 0;
  for (const folder of wholes) {
    const rendered = spawnSync('kubectl', ['kustomize', path.join(import.meta.dirname, folder)], { encoding: 'utf8' });
    const judged = spawnSync(binary, ['-strict', '-ignore-missing-schemas', '-summary'], { input: rendered.stdout, encoding: 'utf8' });
    if (rendered.status === 0 && judged.status === 0) accepted += 1;
    log(`${folder}: ${(judged.stdout || rendered.stderr || judged.stderr).trim()}`);
  }
  return accepted === wholes.length;
}
