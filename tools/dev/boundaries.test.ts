import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { circlesOf, edgeFaults, importsOf } from './boundaries.ts';

const graph = (from: string, to: string) => ({
  nodes: { from: { data: { root: from } }, to: { data: { root: to } } },
  dependencies: { from: [{ target: 'to' }], to: [] },
});

test.each([
  ['apps/catalog', 'apps/inventory'],
  ['libs/problem', 'libs/contract'],
  ['libs/db', 'libs/rpc'],
  ['libs/contract', 'libs/rpc'],
  ['libs/service', 'libs/testbed'],
  ['libs/db', 'apps/catalog'],
  ['libs/problem', 'protos'],
  ['protos', 'libs/contract'],
])('%s may not depend on %s', (from, to) => {
  expect(edgeFaults(graph(from, to))).toEqual([`${from} may not depend on ${to}`]);
});

test.each([
  ['apps/catalog', 'libs/service'],
  ['libs/rpc', 'libs/contract'],
  ['libs/testbed', 'libs/service'],
  ['tools/local', 'apps/gateway'],
  ['apps/catalog', 'protos'],
  ['libs/rpc', 'protos'],
])('%s may depend on %s', (from, to) => {
  expect(edgeFaults(graph(from, to))).toEqual([]);
});

test('the from of SQL is not an import, and hides none after it', () => {
  const source = "export function find(): string {\n  return `select substring(a from '^v1') from b`;\n}\nexport * from 'c';\n";
  expect(importsOf(source)).toEqual(['c']);
});

test('imports of every form are found', () => {
  const source = `import a from 'a';\nimport {\n  b,\n} from 'b';\nimport 'c';\nexport { d } from 'd';\nconst e = await import('e');\nimport type { F } from 'f';\n`;
  expect(importsOf(source).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

const app = temporaryFolder();

test('two folders of an app that import each other are found; other imports are not', () => {
  const write = (file: string, ...imports: string[]) => {
    mkdirSync(path.dirname(path.join(app, 'src', file)), { recursive: true });
    writeFileSync(path.join(app, 'src', file), imports.map((name) => `import type { X } from '${name}';\n`).join(''));
  };
  write('a/one.ts', '../b/two.ts', '../tables.ts');
  write('b/two.ts', '../c/three.ts');
  write('c/three.test.ts', '../b/two.ts');
  write('tables.ts', './a/one.ts');
  expect(circlesOf(app)).toEqual([]);
  write('b/four.ts', '../a/one.ts');
  expect(circlesOf(app)).toEqual([`${path.basename(app)}: a, b`]);
});
