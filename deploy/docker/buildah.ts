/** buildah and debootstrap as `npm run images` calls them: bounded, with their output in a log file. */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { CannotStart } from '../../tools/local/cannot-start.ts';

/** Needs no cgroups and no namespaces of the network. */
export const isolated = ['--isolation', 'chroot'];
/** Without it, each step closes a billion file descriptors. */
export const limited = ['--ulimit', 'nofile=20000:20000'];

const stepMaxMs = 1_200_000;

/** Runs a tool to its end and returns what it printed; `logFile` gets the rest. */
export function call(tool: string, args: string[], logFile: string, cwd?: string): string {
  const { status, signal, stdout, stderr, error } = spawnSync(tool, args, {
    encoding: 'utf8',
    timeout: stepMaxMs,
    maxBuffer: 1 << 28,
    cwd,
  });
  appendFileSync(logFile, `$ ${tool} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}\n`);
  if (error && signal === null) throw new CannotStart(`${tool} could not be run: ${error.message}`);
  if (signal !== null) throw new CannotStart(`${tool} ${args[0]} did not end within ${stepMaxMs / 60_000} minutes. Its log: ${logFile}`);
  if (status !== 0) throw new CannotStart(`${tool} ${args[0]} failed: ${lastLine(stderr)} Its log: ${logFile}`);
  return stdout.trim();
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
}

/** A sentence when the images cannot be built here. `tools`: those that are needed. */
export function whyNot(tools: string[]): string | undefined {
  if (process.platform !== 'linux') return 'Images are built on Linux, with buildah.';
  for (const tool of tools) {
    if (spawnSync(tool, ['--version'], { stdio: 'ignore' }).error)
      return `${tool} is needed to build the images: install it (Debian and Ubuntu: apt-get install buildah debootstrap).`;
  }
  if (process.getuid?.() !== 0) return 'The images are built without user namespaces: run this as root, such as in a container or by sudo.';
  return undefined;
}
