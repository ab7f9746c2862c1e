/**
 * The built files of the admin panel. A build takes seconds and is kept under a hash of what it is made from, so it runs once
 * for each version of the panel; in a process of its own, behind the start.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { repository } from './data-dir.ts';
import type { Foreground } from './foreground.ts';

const panel = path.join(repository, 'apps/admin');
const builds = path.join(repository, '.cache/admin');
const madeFrom = ['index.html', 'package.json', 'vite.config.ts', 'src'];
/** Below the services, which answer meanwhile. */
const niceness = 10;
const hashLength = 16;
const errorLength = 2_000;

/** Where the build of the present sources is, or will be. */
export function adminFolder(): string {
  return path.join(builds, hashOfSources());
}

/** Builds behind a start whose gateway serves that folder; another server or folder that the environment names is left alone. */
export function buildBehind({ onStop }: Foreground, env: NodeJS.ProcessEnv): void {
  const folder = adminFolder();
  if (env.ADMIN_UPSTREAM || env.ADMIN_FILES !== folder || existsSync(folder)) return;
  const stopped = new AbortController();
  console.log('\nBuilding the admin panel in the background, once for this version; until then its page waits.');
  const built = buildAdmin(folder, { signal: stopped.signal, behind: true }).then(
    () => console.log('The admin panel is built.'),
    (error: unknown) => {
      if (!stopped.signal.aborted) console.error(error);
    },
  );
  onStop(() => {
    stopped.abort();
    return built;
  });
}

interface BuildOptions {
  signal?: AbortSignal;
  /** Lets everything else go first; without it the caller waits for the build. */
  behind?: boolean;
}

/** Builds unless that is done; an aborted build leaves nothing. */
export async function buildAdmin(folder: string, { signal, behind = false }: BuildOptions = {}): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(builds, { recursive: true });
  const fresh = mkdtempSync(path.join(builds, 'new-'));
  try {
    await runVite(fresh, behind, signal);
    compress(path.join(fresh, 'assets'));
    // Another start may have been faster; then its build is as good.
    if (!existsSync(folder)) renameSync(fresh, folder);
    forgetOthers(folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = madeFrom.flatMap((name) => {
    const at = path.join(panel, name);
    return path.extname(name) ? [at] : readdirSync(at, { recursive: true, encoding: 'utf8' }).map((file) => path.join(at, file));
  });
  for (const file of files.filter((name) => path.extname(name) !== '').sort()) {
    hash.update(path.relative(panel, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, hashLength);
}

function runVite(outDir: string, behind: boolean, signal?: AbortSignal): Promise<void> {
  const bin = path.join(path.dirname(createRequire(path.join(panel, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
  const args = [bin, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const child = spawn(process.execPath, args, {
    cwd: panel,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (behind) lowerPriority(child.pid);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-errorLength);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => (status === 0 ? resolve() : reject(new Error(`vite build failed: ${said.trim()}`))));
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, niceness);
  } catch (error) {
    // The process may have ended already, or the system may not allow it; the build runs all the same.
    if (!['ESRCH', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function compress(assets: string): void {
  for (const name of readdirSync(assets)) {
    const file = path.join(assets, name);
    const body = readFileSync(file);
    const gzip = gzipSync(body, { level: 9 });
    if (gzip.length < body.length) writeFileSync(`${file}.gz`, gzip);
  }
}

/** Builds of other versions, also unfinished ones of a start that was killed. */
function forgetOthers(folder: string): void {
  for (const name of readdirSync(builds)) {
    const other = path.join(builds, name);
    if (other !== folder && !name.startsWith('new-')) rmSync(other, { recursive: true, force: true });
  }
}
