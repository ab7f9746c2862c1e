/** A real Kubernetes API server with an empty store on loopback, for as long as a check runs. Nothing is scheduled and no pod starts. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endChild } from '../../tools/local/end-child.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { type GoTool, goTool, placeOf } from '../../tools/local/go-tool.ts';

/** Modules that Kubernetes keeps in its own repository: its released go.mod names no version of them. */
const staging = [
  ...['api', 'apiextensions-apiserver', 'apimachinery', 'apiserver', 'cli-runtime', 'client-go', 'cloud-provider', 'cluster-bootstrap'],
  ...['code-generator', 'component-base', 'component-helpers', 'controller-manager', 'cri-api', 'cri-client', 'csi-translation-lib'],
  ...['dynamic-resource-allocation', 'endpointslice', 'externaljwt', 'kms', 'kube-aggregator', 'kube-controller-manager', 'kube-proxy'],
  ...['kube-scheduler', 'kubectl', 'kubelet', 'metrics', 'mount-utils', 'pod-security-admission', 'sample-apiserver'],
];
const version = 'v1.34.2';
const tool: GoTool = {
  name: 'kube-apiserver',
  main: 'k8s.io/kubernetes/cmd/kube-apiserver',
  module: 'k8s.io/kubernetes',
  version,
  replace: staging.map((name) => `k8s.io/${name} => k8s.io/${name} ${version.replace('v1', 'v0')}`),
};
const startMaxMs = 60_000;
const stopMaxMs = 10_000;
const pollMs = 200;

export interface ApiServer {
  /** Runs kubectl against it; `warnings`: what it wrote to standard error. */
  kubectl(args: string[], input?: string): { status: number | null; output: string; warnings: string };
  close(): Promise<void>;
}

/** Programs that it needs, each with what makes it end at once. */
const programs = { etcd: ['--version'], kubectl: ['version', '--client'], openssl: ['version'] };

/** A sentence when a program that it needs is not installed. */
export function missingProgram(): string | undefined {
  const missing = Object.entries(programs).find(([name, args]) => spawnSync(name, args).status !== 0);
  return missing && `there is no ${missing[0]} on the PATH`;
}

export const isBuilt = (): boolean => existsSync(placeOf(tool));

/** Built first where it is missing. */
export async function startApiServer(log: (line: string) => void): Promise<ApiServer | { skipped: string }> {
  const skipped = missingProgram();
  if (skipped) return { skipped };
  const binary = await goTool(tool, log);
  return typeof binary === 'string' ? start(binary) : binary;
}

async function start(binary: string): Promise<ApiServer | { skipped: string }> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-apiserver-'));
  const running: ChildProcess[] = [];
  const close = async () => {
    for (const child of running.reverse()) await endChild(child, stopMaxMs);
    rmSync(dir, { recursive: true, force: true });
  };
  const launch = (name: string, file: string, args: string[]) => {
    const out = openSync(path.join(dir, `${name}.log`), 'a');
    running.push(spawn(file, args, { cwd: dir, stdio: ['ignore', out, out] }));
  };
  const token = randomBytes(24).toString('hex');
  const [client, peer, port] = [await freePort(0), await freePort(0), await freePort(0)];
  const key = path.join(dir, 'sa.key');
  spawnSync('openssl', ['genrsa', '-out', key, '2048']);
  writeFileSync(path.join(dir, 'tokens.csv'), `${token},admin,1,system:masters\n`, { mode: 0o600 });
  const store = `http://127.0.0.1:${client}`;
  const own = `http://127.0.0.1:${peer}`;
  launch('etcd', 'etcd', [
    ...['--data-dir', path.join(dir, 'etcd'), '--listen-client-urls', store, '--advertise-client-urls', store],
    ...['--listen-peer-urls', own, '--initial-advertise-peer-urls', own, '--initial-cluster', `default=${own}`],
  ]);
  launch('kube-apiserver', binary, [
    ...[`--etcd-servers=${store}`, `--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${path.join(dir, 'certificates')}`],
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`, '--service-account-issuer=https://store.local'],
    ...[`--token-auth-file=${path.join(dir, 'tokens.csv')}`, '--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24'],
  ]);
  const access = [
    '--server',
    `https://127.0.0.1:${port}`,
    '--token',
    token,
    '--insecure-skip-tls-verify',
    '--cache-dir',
    path.join(dir, 'cache'),
  ];
  const kubectl: ApiServer['kubectl'] = (args, input) => {
    const env = { ...process.env, KUBECONFIG: path.join(dir, 'none') };
    const { status, stdout, stderr } = spawnSync('kubectl', [...access, ...args], { input, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    return { status, output: stdout, warnings: stderr };
  };
  const giveUpAt = performance.now() + startMaxMs;
  while (kubectl(['get', '--raw', '/readyz']).output !== 'ok') {
    if (performance.now() > giveUpAt || running.some(({ exitCode }) => exitCode !== null)) {
      const words = ['etcd', 'kube-apiserver'].map((name) =>
        readFileSync(path.join(dir, `${name}.log`), 'utf8')
          .trim()
          .split('\n')
          .at(-1),
      );
      await close();
      return { skipped: `the API server does not start: ${words.join('; ')}` };
    }
    await wait(pollMs);
  }
  return { kubectl, close };
}
