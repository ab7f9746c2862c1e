/** One run of schemathesis against a running product. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Product } from './product.ts';

export interface FuzzOptions {
  /** The environment's python. */
  python: string;
  product: Product;
  /** Keys call the operations of their document, staff those of theirs (D204). */
  as: 'keys' | 'staff';
  /** Examples per endpoint. */
  examples: number;
  seed: number;
  /** Ends the run at this time, even if it is not complete. */
  maxSeconds?: number;
  /** Only operations whose path matches. */
  only?: string;
  onText(text: string): void;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const documents = { keys: 'openapi.json', staff: 'staff/openapi.json' };

/** True when no fault was found. */
export async function fuzz(options: FuzzOptions): Promise<boolean> {
  const { python, product, as } = options;
  const args = [
    ...[
      '-m',
      'schemathesis.cli',
      '--config-file',
      path.join(folder, 'schemathesis.toml'),
      'run',
      `${product.baseUrl}/api/v1/${documents[as]}`,
    ],
    ...['--no-color', '--max-examples', String(options.examples), '--seed', String(options.seed), '--generation-database', 'none'],
    ...(options.maxSeconds ? ['--max-time', String(options.maxSeconds)] : []),
    ...(options.only ? ['--include-path-regex', options.only] : []),
  ];
  const callers = JSON.stringify({ keys: product.keys, session: product.session, spare_sessions: product.spareSessions, as });
  const env = { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', FUZZ_CALLERS: callers };
  // schemathesis writes its caches into its working directory.
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'store-fuzz-'));
  const child = spawn(python, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', options.onText);
  const [status] = (await once(child, 'close')) as [number | null];
  rmSync(cwd, { recursive: true });
  return status === 0;
}
