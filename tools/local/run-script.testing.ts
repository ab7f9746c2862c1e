/** Runs a script of tools or an app as its user does, with no environment but `env`. */
import { execFile } from 'node:child_process';
import { repository } from './data-dir.ts';

export function runScript(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; out: string; error: string }> {
  const options = { cwd: repository, env: { PATH: process.env.PATH, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--no-warnings', ...args], options, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    );
  });
}
