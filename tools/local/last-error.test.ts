import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { lastError } from './last-error.ts';

const file = path.join(temporaryFolder(), 'catalog.log');

const logged = (level: number, msg: string, err?: string) => JSON.stringify({ level, msg, ...(err && { err: { message: err } }) });

test.each([
  [
    'a refused configuration whole',
    ['Bad configuration:', '  A must be a number', '  B is required'],
    'Bad configuration: A must be a number B is required',
  ],
  ['an uncaught error without its trace', ['file:///x.ts:3', 'Error: no room', '    at x (y.ts:1:2)', 'Node.js v24'], 'Error: no room'],
  [
    'the last failure of the log',
    [logged(50, 'first'), logged(60, 'A consumer stopped', 'gone'), logged(30, 'later')],
    'A consumer stopped: gone',
  ],
  ['nothing where there was no failure', [logged(30, 'started'), '{ no json'], ''],
])('says %s', (_title, lines, words) => {
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(lastError(file)).toBe(words);
});

test('reads the run that is starting and ignores earlier ones', () => {
  const before = `${logged(50, 'old')}\n`;
  writeFileSync(file, before + logged(30, 'started'));
  expect(lastError(file, before.length)).toBe('');
});
