/** Starts the two floors as separate processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { accepts } from '../../tools/local/accepts.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { freePort } from '../../tools/local/free-port.ts';

export interface Floor {
  port: number;
  pid: number;
}

export interface Floors {
  a: Floor;
  b: Floor;
  back: Floor;
  stop(): Promise<void>;
}

const startMaxMs = 20_000;
const firstPort = 3_200;

export async function startFloors(env: NodeJS.ProcessEnv): Promise<Floors> {
  const children: ChildProcess[] = [];
  const folder = path.join(repository, 'tests/bench');
  const start = async (file: string, port: number, more: NodeJS.ProcessEnv = {}): Promise<Floor> => {
    const floorEnv = { ...process.env, ...env, ...more, PORT: String(port), FLOOR_PROTO: path.join(folder, 'floor.proto') };
    const child = spawn(process.execPath, [path.join(folder, file)], { env: floorEnv, stdio: ['ignore', 'inherit', 'inherit'] });
    children.push(child);
    for (let waited = 0; !(await accepts(`127.0.0.1:${port}`)); waited += 50) {
      if (waited > startMaxMs || child.exitCode !== null) throw new Error(`${file} did not start`);
      await wait(50);
    }
    return { port, pid: child.pid! };
  };
  const a = await start('floor-a.ts', await freePort(firstPort));
  const back = await start('floor-b-back.ts', await freePort(firstPort + 10));
  const b = await start('floor-b-front.ts', await freePort(firstPort + 20), { BACK_ADDRESS: `127.0.0.1:${back.port}` });
  return {
    a,
    b,
    back,
    stop: async () => {
      for (const child of children) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
    },
  };
}
