/**
 * Replaces every process of the product, one after another, as a rolling update does: a successor starts at an address of its own,
 * is listed when it is ready, and only then the old process is taken off the list and asked to stop.
 */
import { readdirSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@store/testbed/until';
import { freePort } from '../../tools/local/free-port.ts';
import { type Member, said } from '../../tools/local/member.ts';
import { isReady } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { withPodNames } from './pods.ts';
import { appOf, type RollingWorld } from './rolling-world.ts';

export interface Rolled {
  name: string;
  readyMs: number;
  /** From SIGTERM to the end of the process. */
  stopMs: number;
}

const readyWithinMs = 120_000;
/** Longer than what a process allows itself (25 s). */
const stoppedWithinMs = 40_000;
/** For which a cluster still lists a process that it will stop: preStop. */
const listedMs = 300;

/** `file`: another version of the app, which the successor runs. */
export async function roll(world: RollingWorld, old: Member, version: { folder?: string; file?: string } = {}): Promise<Rolled> {
  const app = appOf(old.name);
  const { fleet } = world.fleet;
  world.started += 1;
  const host = app === 'relay' ? '127.0.0.1' : world.pods.next(app);
  const env = { ...(await doorsAt(old, app, host)), NEXT_VERSION_OF: app };
  const successor = old.successor(`${app}-${world.started}`, env, {
    folder: version.folder,
    entry: () => withPodNames(app, version),
  });
  successor.healthPort = await freePort(old.healthPort + 1);
  const startedAt = performance.now();
  fleet.members.push(successor);
  successor.start();
  giveShare(successor, startingShare);
  await until(
    () => hasStarted(successor),
    readyWithinMs,
    () => `${successor.name} is not ready.${said(successor)}`,
  );
  giveShare(successor, usualShare);
  const readyMs = performance.now() - startedAt;
  if (app === 'gateway') world.load.api.push(apiOf(successor.env));
  else if (app !== 'relay') world.pods.publish(app, [host]);
  if (app !== 'gateway') await wait(listedMs);
  const stopMs = await stop(world, old, app === 'gateway');
  fleet.members.splice(fleet.members.indexOf(old), 1);
  return { name: `${app} (${old.name})`, readyMs: Math.round(readyMs), stopMs: Math.round(stopMs) };
}

/** Nice values: about a third of the processor's share of one that serves, as a start on another machine takes none of it. */
const usualShare = os.getPriority();
const startingShare = Math.min(19, usualShare + 5);

/** Of each thread of the process. Only root may give a share back; elsewhere a start competes with what serves. */
function giveShare({ pid }: Member, nice: number): void {
  if (process.getuid?.() !== 0 || pid === undefined) return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      os.setPriority(Number(thread), nice);
    } catch (error) {
      // A thread that has ended since the listing.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
    }
  }
}

/** The same ports at another address; a gateway takes another port. */
async function doorsAt(old: Member, app: string, host: string): Promise<Record<string, string>> {
  if (app === 'gateway') return { GATEWAY_PORT: String(await freePort(0)) };
  const listens = Object.entries(old.env).filter(([name]) => name.endsWith('_LISTEN'));
  return Object.fromEntries(listens.map(([name, address]) => [name, `${host}:${address!.split(':')[1]}`]));
}

const apiOf = (env: NodeJS.ProcessEnv) => `http://127.0.0.1:${env.GATEWAY_PORT}/api/v1`;

/** A load balancer stops sending requests to a gateway as soon as that says that it is not ready. */
async function stop({ load }: RollingWorld, old: Member, isGateway: boolean): Promise<number> {
  const startedAt = performance.now();
  old.signal('SIGTERM');
  if (isGateway) {
    const url = apiOf(old.env);
    await until(
      async () => (await send('GET', url.replace('/api/v1', '/readyz'), { withinMs: 2_000 })).status === 503,
      stoppedWithinMs,
      () => `${old.name} stays ready`,
    );
    load.api.splice(load.api.indexOf(url), 1);
  }
  await until(
    () => !old.running,
    stoppedWithinMs,
    () => `${old.name} does not end.${said(old)}`,
  );
  if (old.exitCode !== 0) throw new Error(`${old.name} ended with ${old.exitCode}.${said(old)}`);
  return performance.now() - startedAt;
}

async function hasStarted(member: Member): Promise<boolean> {
  if (!member.running) throw new Error(`${member.name} did not start.${said(member)}`);
  return isReady(`http://127.0.0.1:${member.healthPort}`);
}
