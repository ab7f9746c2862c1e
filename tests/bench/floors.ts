/** Starts the floors as separate processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import { endChild } from '../../tools/local/end-child.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { portIsOpen } from '../../tools/local/port-is-open.ts';
import { floorTables } from './floor-writes.ts';

export interface Floor {
  port: number;
  processes: Record<string, number>;
}

export interface Floors {
  /** A list in one process; `file`: that of its kind. */
  list(file: string): Promise<Floor>;
  /** One record, and writes, by a front and a back. */
  pair(): Promise<Floor>;
}

const startMaxMs = 20_000;
const firstPort = 3_200;

/** Makes the tables that floors write to. What was started is stopped by the last of `stops`. */
export async function openFloors(env: Record<string, string>, stops: (() => Promise<void>)[]): Promise<Floors> {
  const children: ChildProcess[] = [];
  await withClient(env.DATABASE_URL!, (client) => client.query(floorTables));
  const start = async (file: string, more: NodeJS.ProcessEnv = {}) => {
    const port = await freePort(firstPort + 10 * children.length);
    const floorEnv = { ...process.env, ...env, ...more, PORT: String(port) };
    const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
      env: floorEnv,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    children.push(child);
    await until(
      () => portIsOpen(`127.0.0.1:${port}`),
      startMaxMs,
      () => `${file} did not start`,
    );
    return { port, pid: child.pid! };
  };
  stops.push(async () => {
    for (const child of children) await endChild(child);
  });
  return {
    list: async (file) => {
      const { port, pid } = await start(file);
      return { port, processes: { [path.basename(file, '.ts')]: pid } };
    },
    pair: async () => {
      const back = await start('floor-back.ts');
      const front = await start('floor-front.ts', { BACK_ADDRESS: `127.0.0.1:${back.port}` });
      return { port: front.port, processes: { 'floor front': front.pid, 'floor back': back.pid } };
    },
  };
}
