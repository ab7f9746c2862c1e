/** A command-line tool built from its Go module, once, into .cache/tools: for checks that need the real thing. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from './data-dir.ts';

export interface GoTool {
  name: string;
  /** Path of its main package. */
  main: string;
  module: string;
  version: string;
}

const buildMaxMs = 30 * 60_000;
const announceEveryMs = 15_000;

const toolsDir = path.join(repository, '.cache/tools');

/** The path of the tool; built first where it is missing. */
export async function goTool(tool: GoTool, log: (line: string) => void, signal?: AbortSignal): Promise<string | { skipped: string }> {
  const binary = path.join(toolsDir, `${tool.name}-${tool.version}`);
  if (existsSync(binary)) return binary;
  if (spawnSync('go', ['version']).status !== 0) return { skipped: `${tool.name} is not built, and there is no Go on the PATH` };
  mkdirSync(toolsDir, { recursive: true });
  const build = mkdtempSync(path.join(os.tmpdir(), `store-${tool.name}-`));
  log(`Building ${tool.name} ${tool.version} from ${tool.module}: once, some minutes`);
  const startedAt = performance.now();
  const since = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const telling = setInterval(() => log(`Building ${tool.name}: ${since()}`), announceEveryMs);
  try {
    const output = path.join(build, path.basename(tool.main));
    const failure = await go(['install', `${tool.main}@${tool.version}`], build, signal);
    if (failure !== undefined) return { skipped: `${tool.name} could not be built: ${failure}` };
    // Copied within the folder first, so that a broken copy is never taken for the tool.
    copyFileSync(output, `${binary}.new`);
    renameSync(`${binary}.new`, binary);
    log(`Built ${tool.name} in ${since()}`);
    return binary;
  } finally {
    clearInterval(telling);
    rmSync(build, { recursive: true, force: true });
  }
}

/** What went wrong; undefined: nothing. */
async function go(args: string[], cwd: string, signal?: AbortSignal): Promise<string | undefined> {
  const bounded = AbortSignal.any([AbortSignal.timeout(buildMaxMs), ...(signal ? [signal] : [])]);
  const child = spawn('go', args, {
    cwd,
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: cwd },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: bounded,
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = (said + part.toString()).slice(-1_000);
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? 'no reason given');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    return 'it was interrupted or took too long';
  }
}
