/** `npm run test:python`: the tests of libs/client-python against the whole product on a new database. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProduct } from '../../tests/fuzz/product.ts';
import { succeed } from '../../tests/kit/http.ts';
import { repository } from '../local/data-dir.ts';
import { startPostgres } from '../local/postgres.ts';
import { pythonTool } from '../local/python-tool.ts';

const folder = path.join(repository, 'libs/client-python');
const limit = 3;

const found = pythonTool({ name: 'pytest', requirements: path.join(folder, 'tests/requirements.txt'), minor: 9 }, console.log);
if ('skipped' in found) console.log(`The Python client was not tested: ${found.skipped}`);
else process.exitCode = await run(found.python);

async function run(python: string): Promise<number> {
  const log = (line: string) => console.log(line);
  const dataDir = path.join(repository, `.cache/postgres-python-${process.pid}`);
  const postgres = await startPostgres({ dataDir, durable: false, log });
  try {
    const product = await startProduct(postgres.url);
    try {
      const wanted = { api_key: { name: 'Limited', scopes: ['products:read'], rate_limit: limit } };
      const limited = await succeed('POST', `${product.baseUrl}/api/v1/api_keys`, { token: product.session, body: wanted });
      return await pytest(python, { STORE_API_URL: product.baseUrl, STORE_API_KEY: product.keys[0]!, STORE_LIMITED_KEY: limited.key });
    } finally {
      await product.close();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The tests see the installed package, not its source. In a process of its own that does not block this one, which is the product. */
async function pytest(python: string, more: Record<string, string>): Promise<number> {
  const outside = mkdtempSync(path.join(tmpdir(), 'client-python-'));
  try {
    const [source, site] = [path.join(outside, 'source'), path.join(outside, 'site')];
    // A copy: building leaves files beside the source.
    cpSync(folder, source, { recursive: true });
    const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-build-isolation', '--target', site, source];
    const { status, stderr } = spawnSync(python, install, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the package cannot be installed: ${stderr}`);
    const env = { ...process.env, ...more, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1' };
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', path.join(folder, 'tests')];
    const child = spawn(python, args, { cwd: outside, env, stdio: 'inherit' });
    return await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
}
