import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { keyPattern, newKey } from '../src/keys/key-text.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const anywhere = new RegExp(keyPattern.source.replace('^', '\\b').replace('$', '\\b'));
/** Without the git history (an unpacked archive) nothing can be searched. */
const inCheckout = existsSync(path.join(root, '.git')) ? test : test.skip;

inCheckout('no file of the repository holds a text of the shape of a key (P29)', () => {
  expect(`curl -H 'X-API-Key: ${newKey()}'`).toMatch(anywhere);
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const isFile = (file: string) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  const holding = files.filter((file) => isFile(file) && anywhere.test(readFileSync(path.join(root, file), 'latin1')));
  expect(holding).toEqual([]);
});
