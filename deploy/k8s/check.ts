/**
 * `npm run manifests -- --check`: base and overlays, whole and app by app, as a real API server judges them (a dry run on the
 * server: schema, defaults, validation, Pod Security). Where it cannot be had, kubeconform compares them with the schemas.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { goTool } from '../../tools/local/go-tool.ts';
import { type ApiServer, isBuilt, missingProgram, startApiServer } from './api-server.ts';
import { areFetched, definitions, fetchDefinitions } from './definitions.ts';

const namespace = 'store';
const kubeconform = {
  name: 'kubeconform',
  main: 'github.com/yannh/kubeconform/cmd/kubeconform',
  module: 'github.com/yannh/kubeconform',
  version: 'v0.7.0',
};

export const wholes = ['overlays/dev', 'overlays/production'];
/** Folders of kustomize, each of which can be applied by itself. */
const folders: string[] = ['installation', ...appNames].flatMap((name) => [
  `base/${name}`,
  ...wholes.map((overlay) => `${overlay}/${name}`),
]);

/** Returns whether every folder was accepted. */
export async function checkManifests(log: (line: string) => void): Promise<boolean> {
  const server = await openJudge(log);
  if ('skipped' in server) {
    log(`No API server: ${server.skipped}. The manifests are compared with the schemas of kubeconform`);
    return compareWithSchemas(log);
  }
  try {
    const all = [...folders, ...wholes];
    let accepted = 0;
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

/** Why the API server cannot judge here at once; undefined: it can, without building or fetching anything. */
export function notAtOnce(): string | undefined {
  const missing = missingProgram();
  if (missing) return missing;
  return isBuilt() && areFetched() ? undefined : 'npm run manifests -- --check has not built the API server here';
}

/** An API server with what a dry run needs to be there: the namespace, and the definitions of what Prometheus is told. */
export async function openJudge(log: (line: string) => void): Promise<ApiServer | { skipped: string }> {
  const server = await startApiServer(log);
  if ('skipped' in server) return server;
  try {
    fetchDefinitions();
    expectDone(server.kubectl(['apply', '-f', path.join(import.meta.dirname, 'base/installation/namespace.yaml')]));
    for (const [name, file] of Object.entries(definitions)) {
      // Applied by the server: the definitions are longer than the annotation of a client's apply.
      expectDone(server.kubectl(['apply', '--server-side', '-f', '-'], readFileSync(file, 'utf8')));
      expectDone(server.kubectl(['wait', '--for=condition=Established', '--timeout=60s', `crd/${name}.monitoring.coreos.com`]));
    }
  } catch (error) {
    await server.close();
    throw error;
  }
  log('The API server is ready');
  return server;
}

function expectDone({ status, warnings }: ReturnType<ApiServer['kubectl']>): void {
  if (status !== 0) throw new Error(warnings);
}

/** Errors and warnings: a pod that Pod Security would refuse is a warning about its Deployment. */
export function faultsOf(server: ApiServer, folder: string): string[] {
  const isBase = folder.startsWith('base/') && !folder.endsWith('/installation');
  return judge(server, ['-k', path.join(import.meta.dirname, folder), ...(isBase ? ['--namespace', namespace] : [])]);
}

/** Of manifests as text, for tests of the check itself. */
export const faultsInText = (server: ApiServer, text: string): string[] => judge(server, ['-f', '-', '--namespace', namespace], text);

function judge({ kubectl }: ApiServer, what: string[], input?: string): string[] {
  const { status, warnings } = kubectl(['apply', ...what, '--dry-run=server', '--validate=strict', '--output=name'], input);
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
