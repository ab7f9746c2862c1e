/** `npm run listen` in a process of its own, as a developer starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { repository } from './data-dir.ts';
import { endChild } from './end-child.ts';

export interface Listening {
  child: ChildProcess;
  /** The lines that it prints, up to the first one with that text. */
  until(text: string): Promise<string>;
  end(): Promise<void>;
}

export function startListening(dataDir: string, ...args: string[]): Listening {
  const child = spawn(process.execPath, ['--no-warnings', 'tools/local/listen.ts', '--port', '0', ...args], {
    cwd: repository,
    env: { PATH: process.env.PATH, STORE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    until: async (text) => {
      const seen: string[] = [];
      while (!seen.at(-1)?.includes(text)) {
        const line = await lines.next();
        if (line.done) throw new Error(`it ended before it printed ${text}`);
        seen.push(line.value);
      }
      return seen.join('\n');
    },
    end: () => endChild(child, 'SIGKILL'),
  };
}
