/** Starts the built images as processes of one system, on PostgreSQL, Redis and Kafka of this machine, and asks whether each is ready. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { doorsOf, serviceNames } from '@store/contract';
import { addressVariable, listenVariable } from '@store/service';
import { CannotStart } from '../../tools/local/cannot-start.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { lastWords } from '../../tools/local/last-words.ts';
import { newCallKeys, newRing } from '../../tools/local/local-secrets.ts';
import { startRealParts } from '../../tools/local/real-parts.ts';
import { call, isolated, limited } from './buildah.ts';

const readyMaxMs = 120_000;
const pollMs = 200;
const stopMaxMs = 30_000;
const firstPort = 51_500;

interface Started {
  app: string;
  container: string;
  child: ChildProcess;
  readyUrls: string[];
  logFile: string;
  startedAt: number;
}

/** Milliseconds until each app was ready; rejects with the reason of the first that did not become ready. */
export async function checkImages(images: Map<string, string>, dir: string, say: (line: string) => void): Promise<Map<string, number>> {
  const parts = await startRealParts(dir, false, say);
  const started: Started[] = [];
  try {
    const port = portsFrom(firstPort);
    const env = { ...(await environment(port)), ...parts.env };
    for (const [app, image] of images) {
      const own = { HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(await port()), GATEWAY_PORT: String(await port()) };
      started.push(start(app, image, { ...env, ...own }, dir));
    }
    return new Map(await Promise.all(started.map(async (one) => [one.app, await ready(one)] as const)));
  } finally {
    await Promise.all(started.map(stop));
    await parts.stop();
  }
}

type NextPort = () => Promise<number>;

/** None is given twice: what takes a port listens only seconds later. */
function portsFrom(first: number): NextPort {
  let next = first;
  return async () => {
    const wanted = next;
    next += 1;
    return freePort(wanted);
  };
}

async function environment(port: NextPort): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const { door } of serviceNames.flatMap(doorsOf)) {
    const address = `127.0.0.1:${await port()}`;
    Object.assign(addresses, { [addressVariable(door)]: address, [listenVariable(door)]: address });
  }
  return { ...addresses, KEY_PEPPERS: newRing(), SECRET_KEYS: newRing(), ...newCallKeys(), GATEWAY_NOT_READY_MS: '0' };
}

function start(app: string, image: string, env: Record<string, string>, dir: string): Started {
  const toolLog = path.join(dir, 'buildah.log');
  const logFile = path.join(dir, `${app}.log`);
  const container = call('buildah', ['from', ...limited, image], toolLog);
  const output = openSync(logFile, 'w');
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  // The image's own command and user: nothing of it is left out.
  const command = ['sh', '-c', `! touch /app/written 2>/dev/null && exec node apps/${app}/src/run.ts`];
  const child = spawn('buildah', ['run', ...isolated, ...settings, container, '--', ...command], {
    stdio: ['ignore', output, output],
    detached: true,
  });
  const readyUrls = [`http://127.0.0.1:${env.HEALTH_PORT}/readyz`];
  if (app === 'gateway')
    readyUrls.push(...['/readyz', '/api/v1/openapi.json'].map((page) => `http://127.0.0.1:${env.GATEWAY_PORT}${page}`));
  return { app, container, child, readyUrls, logFile, startedAt: performance.now() };
}

async function ready({ app, child, readyUrls, logFile, startedAt }: Started): Promise<number> {
  for (const url of readyUrls) {
    while (!(await answers(url))) {
      if (child.exitCode !== null)
        throw new CannotStart(`The image of ${app} did not start. It says: ${lastWords(logFile, 0)}\n  Its log: ${logFile}`);
      if (performance.now() - startedAt > readyMaxMs)
        throw new CannotStart(`The image of ${app} was not ready within ${readyMaxMs / 1_000} s: ${url}. Its log: ${logFile}`);
      await wait(pollMs);
    }
  }
  return performance.now() - startedAt;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch (error) {
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false;
    throw error;
  }
}

/** The signal goes to the whole group: buildah does not pass it on. */
async function stop({ child, container }: Started): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    process.kill(-child.pid!, signal);
    await Promise.race([ended, wait(stopMaxMs, undefined, { ref: false })]);
  }
  call('buildah', ['rm', container], '/dev/null');
}
