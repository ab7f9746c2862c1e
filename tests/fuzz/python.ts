/** schemathesis in its own virtual environment, created on first use outside the repository. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'store-developer-api');
const marker = 'complete';

/** The environment's python, or why there is none. */
export function schemathesisPython(log: (line: string) => void): { python: string } | { skipped: string } {
  const home = path.join(cache, `schemathesis-${hash}`);
  const python = path.join(home, 'bin', 'python');
  if (existsSync(path.join(home, marker))) return { python };
  const found = ['python3', 'python'].find(isNewEnough);
  if (!found) return { skipped: 'schemathesis needs Python 3.10 or newer on PATH' };
  log('Installing schemathesis');
  mkdirSync(cache, { recursive: true });
  rmSync(home, { recursive: true, force: true });
  const steps: [string, string[]][] = [
    [found, ['-m', 'venv', home]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '-r', requirements]],
  ];
  for (const [command, args] of steps) {
    const result = spawnSync(command, args, { encoding: 'utf8' });
    if (result.status !== 0) return { skipped: `schemathesis could not be installed: ${lastLine(result.stderr || result.stdout)}` };
  }
  // A killed run leaves no marker, and the next one starts again.
  writeFileSync(path.join(home, marker), '');
  return { python };
}

function isNewEnough(command: string): boolean {
  return spawnSync(command, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']).status === 0;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
