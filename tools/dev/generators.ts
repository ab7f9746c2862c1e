/** `npm run generators`: tries every client generator that the guides name against the running product. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const names = process.argv.length > 2 ? process.argv.slice(2).join(',') : 'typescript,python,go';
const result = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('test.ts', import.meta.url)), '--selectProjects', 'docs', '--testPathPatterns', 'generators'],
  { cwd: path.join(import.meta.dirname, '../..'), stdio: 'inherit', env: { ...process.env, STORE_GENERATORS: names } },
);
process.exitCode = result.status ?? 1;
