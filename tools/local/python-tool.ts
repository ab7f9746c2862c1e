/** Python with the packages of a requirements file: a virtual environment outside the repository, made on first use. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface PythonTool {
  name: string;
  /** The file that pins its packages. */
  requirements: string;
  /** It needs Python 3 of this minor version or a newer one. */
  minor: number;
}

const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'store-developer-api');

/** The environment's python, or why there is none. */
export function pythonTool(
  { name, requirements, minor }: PythonTool,
  log: (line: string) => void,
): { python: string } | { skipped: string } {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const home = path.join(cache, `${name}-${hash}`);
  const python = path.join(home, 'bin/python');
  const marker = path.join(home, 'complete');
  if (existsSync(marker)) return { python };
  const isNewEnough = `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${minor}))`;
  const found = ['python3', 'python'].find((command) => spawnSync(command, ['-c', isNewEnough]).status === 0);
  if (!found) return { skipped: `${name} needs Python 3.${minor} or newer with venv on PATH` };
  log(`Installing ${name}`);
  mkdirSync(cache, { recursive: true });
  rmSync(home, { recursive: true, force: true });
  const steps: [string, string[]][] = [
    [found, ['-m', 'venv', home]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '-r', requirements]],
  ];
  for (const [command, args] of steps) {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) return { skipped: `${name} could not be installed: ${(stderr || stdout).trim().split('\n').at(-1)}` };
  }
  // A run that was killed leaves no marker, and the next one begins anew.
  writeFileSync(marker, '');
  return { python };
}
