/** `nx typecheck <project>`: the types of one folder and of all that it imports. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../local/data-dir.ts';

const folder = process.argv[2]!;

function configOf(): string {
  const own = path.join(repository, folder, 'tsconfig.json');
  if (existsSync(own)) return own;
  const config = path.join(repository, '.cache/typecheck', `${folder.replaceAll('/', '-')}.json`);
  const settings = {
    extends: path.join(repository, 'tsconfig.base.json'),
    compilerOptions: { typeRoots: [path.join(repository, 'node_modules/@types')] },
    include: [path.join(repository, folder, '**/*.ts')],
    exclude: [path.join(repository, 'tests/docs/generators/typescript'), '**/node_modules'],
  };
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify(settings));
  return config;
}

const { status } = spawnSync(path.join(repository, 'node_modules/.bin/tsc'), ['-p', configOf()], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
