import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
// @ts-expect-error: plain JavaScript, as it must run on a Node that has no types.
import { tooOld } from './app.mjs';
import { repository } from './data-dir.ts';

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/local/app.mjs', ...args], { cwd: repository, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each([
  ['20.20.2', 'Node 24.12 or later is needed; this is Node 20.20.2. npm run app -- <app> runs the one in node_modules.'],
  ['24.11.1', expect.stringContaining('24.11.1')],
  ['24.12.0', undefined],
  ['26.0.0', undefined],
])('Node %s: %s', (version, sentence) => {
  expect(tooOld(version)).toEqual(sentence);
});

test('npm run app runs the named app, with its arguments', () => {
  const { status, stdout } = run('customers', '--help');
  expect([status, stdout]).toEqual([0, expect.stringContaining('customers reads these environment variables')]);
});

test.each([
  ['gateway', 'reseal'],
  ['webhooks', 'raise-sequences'],
  ['webhooks', 'reseal'],
])('%s %s --help needs no settings', (app, command) => {
  expect(run(app, command, '--help')).toEqual({ status: 0, stdout: expect.stringMatching(`^${command}: `), stderr: '' });
});

test('an unknown app is refused in one sentence', () => {
  expect(run('nothing')).toEqual({ status: 1, stdout: '', stderr: 'There is no app nothing: name one of the folders in apps/.\n' });
});
