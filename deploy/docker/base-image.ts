/**
 * The base image where no registry of images can be reached: Debian by debootstrap, Node as the `node` package brings it, and this
 * machine's npm for the stage that installs. It stands for NODE_IMAGE of the Dockerfile, and is made once per version of Node.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { call, isolated, limited } from './buildah.ts';

const suite = 'bookworm';
const name = `localhost/store-node:${process.versions.node}-${suite}`;
/** What runs never reads. */
const unused = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/info', 'var/log'];

export interface Base {
  image: string;
  /** sha256:… of its manifest. */
  digest: string;
}

export function baseImage(cacheDir: string, logFile: string, say: (line: string) => void): Base {
  const found = call('buildah', ['images', '--filter', `reference=${name}`, '--quiet'], logFile);
  if (found === '') {
    const root = debianRoot(cacheDir, logFile, say);
    say('base image: Node is added');
    commit(root, logFile);
  }
  return { image: name.slice(0, name.lastIndexOf(':')), digest: call('buildah', ['images', '--format', '{{.Digest}}', name], logFile) };
}

/** The files of a minimal Debian; kept in the cache, so that a new Node takes seconds. */
function debianRoot(cacheDir: string, logFile: string, say: (line: string) => void): string {
  const root = path.join(cacheDir, suite);
  if (existsSync(root)) return root;
  const unfinished = `${root}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(cacheDir, { recursive: true });
  say(`base image: debootstrap of ${suite}, one to two minutes`);
  call('debootstrap', ['--variant=minbase', suite, unfinished], logFile);
  for (const folder of unused) {
    rmSync(path.join(unfinished, folder), { recursive: true, force: true });
    mkdirSync(path.join(unfinished, folder), { recursive: true });
  }
  renameSync(unfinished, root);
  return root;
}

function commit(root: string, logFile: string): void {
  const local = path.join(path.dirname(root), 'node');
  rmSync(local, { recursive: true, force: true });
  mkdirSync(path.join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, path.join(local, 'bin/node'), { dereference: true });
  cpSync(npmFolder(), path.join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
  const container = call('buildah', ['from', ...limited, 'scratch'], logFile);
  try {
    call('buildah', ['copy', '--quiet', container, root, '/'], logFile);
    call('buildah', ['copy', '--quiet', container, local, '/usr/local'], logFile);
    call('buildah', ['config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container], logFile);
    call('buildah', ['run', ...isolated, container, '--', 'node', '/usr/local/bin/npm', '--version'], logFile);
    call('buildah', ['commit', '--quiet', container, name], logFile);
  } finally {
    call('buildah', ['rm', container], logFile);
  }
}

/** Of the npm that started this, or of the one beside Node. */
function npmFolder(): string {
  const cli =
    process.env.npm_execpath ?? createRequire(import.meta.url).resolve('npm/bin/npm-cli.js', { paths: ['/usr/lib', '/usr/local/lib'] });
  return path.join(path.dirname(cli), '..');
}
