/** Builds the image of an app by the Dockerfile, and says what is in it. */
import path from 'node:path';
import { repository } from '../../tools/local/data-dir.ts';
import type { Base } from './base-image.ts';
import { call, isolated, limited } from './buildah.ts';

export interface Built {
  image: string;
  megabytes: number;
  packages: number;
}

export function buildImage(app: string, base: Base, logFile: string): Built {
  const image = `localhost/store-${app}`;
  const args = { APP: app, NODE_IMAGE: base.image, NODE_DIGEST: base.digest, ...certificates.args };
  call(
    'buildah',
    [
      'bud',
      ...[...isolated, ...limited, ...certificates.mount, '--format', 'docker'],
      ...['--file', 'deploy/docker/Dockerfile', '--ignorefile', 'deploy/docker/Dockerfile.dockerignore'],
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...['--tag', image, '.'],
    ],
    logFile,
    repository,
  );
  return { image, megabytes: megabytesOf(image, logFile), packages: packagesOf(image, logFile) };
}

/** The authority in front of this machine's registry, if there is one. */
const authority = process.env.NODE_EXTRA_CA_CERTS;
const certificates = authority
  ? { args: { NODE_EXTRA_CA_CERTS: authority }, mount: ['--volume', `${path.dirname(authority)}:${path.dirname(authority)}:ro`] }
  : { args: {}, mount: [] };

const bytesIn: Record<string, number> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

function megabytesOf(image: string, logFile: string): number {
  const [amount, unit = 'B'] = call('buildah', ['images', '--format', '{{.Size}}', image], logFile).split(/\s+/);
  return Math.round((Number(amount) * bytesIn[unit.toUpperCase()]!) / 1e6);
}

/** What npm has installed there, without the links to the workspace's own folders. */
const countPackages = `console.log(Object.values(JSON.parse(require('node:fs').readFileSync('node_modules/.package-lock.json')).packages).filter((entry) => !entry.link && entry.resolved !== undefined || entry.integrity).length)`;

function packagesOf(image: string, logFile: string): number {
  const container = call('buildah', ['from', ...limited, image], logFile);
  try {
    return Number(call('buildah', ['run', ...isolated, container, '--', 'node', '-e', countPackages], logFile));
  } finally {
    call('buildah', ['rm', container], logFile);
  }
}
