/**
 * Takes the viewer of /docs/reference from its npm package: `node tools/dev/viewer.ts 1.72.1`. One built file is kept, compressed, in
 * the gateway; its package has 160 others behind it, which nothing else needs. viewer.json says where the file is from.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const packageName = '@scalar/api-reference';
const member = 'package/dist/browser/standalone.js';
const folder = fileURLToPath(new URL('../../libs/docs-site/src/viewer/', import.meta.url));

export interface ViewerOrigin {
  package: string;
  version: string;
  license: string;
  /** SHA-512 of the package's archive, as the registry names it. */
  integrity: string;
  /** The file within the archive. */
  file: string;
  /** SHA-256 of that file. */
  sha256: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What differs between viewer.json and the file beside it. */
export function viewerFaults(): string[] {
  const origin = JSON.parse(readFileSync(path.join(folder, 'viewer.json'), 'utf8')) as ViewerOrigin;
  const kept = sha256(gunzipSync(readFileSync(path.join(folder, 'scalar.js.gz'))));
  return kept === origin.sha256
    ? []
    : [`scalar.js.gz is not ${origin.file} of ${origin.package} ${origin.version}: run node tools/dev/viewer.ts`];
}

function take(version: string): void {
  const work = mkdtempSync(path.join(tmpdir(), 'viewer-'));
  try {
    const [packed] = JSON.parse(run('npm', ['pack', `${packageName}@${version}`, '--json'], work).toString()) as {
      filename: string;
      integrity: string;
    }[];
    const bytes = run('tar', ['-xzOf', packed!.filename, member], work);
    const origin: ViewerOrigin = {
      package: packageName,
      version,
      license: 'MIT',
      integrity: packed!.integrity,
      file: member,
      sha256: sha256(bytes),
    };
    writeFileSync(path.join(folder, 'scalar.js.gz'), gzipSync(bytes, { level: 9 }));
    writeFileSync(path.join(folder, 'viewer.json'), `${JSON.stringify(origin, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], cwd: string): Buffer {
  const result = spawnSync(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${result.stderr}`);
  return result.stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('node tools/dev/viewer.ts <version>');
  take(version!);
}
