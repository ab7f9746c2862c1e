/** `nx typecheck <project>`: the types of one folder and of all that it imports. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.argv[2]!;

function configOf(): string {
  const own = path.join(root, folder, 'tsconfig.json');
  if (existsSync(own)) return own;
  const config = path.join(root, '.cache/typecheck', `${folder.replaceAll('/', '-')}.json`);
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: { typeRoots: [path.join(root, 'node_modules/@types')] },
    include: [path.join(root, folder, '**/*.ts')],
    exclude: [path.join(root, 'tests/docs/generators/typescript'), '**/node_modules'],
  };
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify(settings));
  return config;
}

const { status } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', configOf()], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
