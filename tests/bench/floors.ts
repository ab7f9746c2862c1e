/** Starts the floors as separate processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { repository } from '../../tools/local/data-dir.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { portIsOpen } from '../../tools/local/port-is-open.ts';
import { floorTables } from './floor-writes.ts';

export interface Floor {
  port: number;
  pid: number;
}

export interface Floors {
  a: Floor;
  b: Floor;
  back: Floor;
  c: Floor;
  cBack: Floor;
  stop(): Promise<void>;
}

const startMaxMs = 20_000;
const firstPort = 3_200;

export async function startFloors(env: NodeJS.ProcessEnv & { DATABASE_URL: string }): Promise<Floors> {
  await makeTables(env.DATABASE_URL);
  const { start, stop } = floorStarter(env);
  const a = await start('floor-a.ts', await freePort(firstPort));
  const back = await start('floor-b-back.ts', await freePort(firstPort + 10));
  const b = await start('floor-b-front.ts', await freePort(firstPort + 20), { BACK_ADDRESS: `127.0.0.1:${back.port}` });
  const cBack = await start('floor-c-back.ts', await freePort(firstPort + 30));
  const c = await start('floor-c-front.ts', await freePort(firstPort + 40), { BACK_ADDRESS: `127.0.0.1:${cBack.port}` });
  return { a, b, back, c, cBack, stop };
}

interface FloorStarter {
  /** Resolves once the floor listens. */
  start(file: string, port: number, more?: NodeJS.ProcessEnv): Promise<Floor>;
  stop(): Promise<void>;
}

/** Starts floors one by one. */
export function floorStarter(env: NodeJS.ProcessEnv): FloorStarter {
  const children: ChildProcess[] = [];
  const folder = path.join(repository, 'tests/bench');
  const start = async (file: string, port: number, more: NodeJS.ProcessEnv = {}): Promise<Floor> => {
    const floorEnv = { ...process.env, ...env, ...more, PORT: String(port), FLOOR_PROTO: path.join(folder, 'floor.proto') };
    const child = spawn(process.execPath, [path.join(folder, file)], {
      env: floorEnv,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    children.push(child);
    for (let waited = 0; !(await portIsOpen(`127.0.0.1:${port}`)); waited += 50) {
      if (waited > startMaxMs || child.exitCode !== null) throw new Error(`${file} did not start`);
      await wait(50);
    }
    return { port, pid: child.pid! };
  };
  return {
    start,
    stop: async () => {
      for (const child of children) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
    },
  };
}

/** Tables that floors write to. */
export async function makeTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(floorTables);
  } finally {
    await client.end();
  }
}
