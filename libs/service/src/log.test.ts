import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import pino, { type Logger } from 'pino';
import { gathered, openLog } from './log.ts';

let done: string[];
let log: Logger;
beforeEach(() => {
  jest.useFakeTimers();
  done = [];
  const write = (line: string) => done.push((JSON.parse(line) as { msg: string }).msg) > 0;
  log = pino({}, gathered({ write, flush: () => void done.push('-'), flushSync: () => void done.push('=') }));
});
afterEach(() => {
  jest.useRealTimers();
});

test('lines of a tenth of a second are written together', () => {
  for (const text of ['a', 'b', 'c']) log.info(text);
  expect(done).toEqual(['a', 'b', 'c']);
  jest.advanceTimersByTime(100);
  expect(done).toEqual(['a', 'b', 'c', '-']);
  log.info('d');
  jest.advanceTimersByTime(1_000);
  expect(done).toEqual(['a', 'b', 'c', '-', 'd', '-']);
});

test('a warning and an error are written at once, with what was before them', () => {
  log.info('a');
  log.warn('b');
  expect(done).toEqual(['a', 'b', '-']);
  log.error('c');
  expect(done).toEqual(['a', 'b', '-', 'c', '-']);
});

test('a fatal line is written before the process can end', () => {
  log.fatal('a');
  expect(done).toEqual(['a', '-', '=']);
});

/** What a process prints that runs the script and ends. */
function printed(script: string): string {
  const whole = `import { openLog } from './log.ts'; ${script} process.exit(0);`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' as const };
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-e', whole], options);
}

test('a process that ends writes the lines that still wait', () => {
  const out = printed("const log = openLog('catalog', 'info'); log.info('a'); log.info('b');");
  expect(out.match(/"msg":"\w"/g)).toEqual(['"msg":"a"', '"msg":"b"']);
});

test('a log into a device leaves its mode alone', () => {
  const { mode } = statSync(devNull);
  openLog('store', 'info', devNull);
  expect(statSync(devNull).mode).toBe(mode);
});

test("a log file is readable by its user only, also an earlier version's", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'log-'));
  for (const name of ['new/store.log', 'old.log']) {
    const file = path.join(folder, name);
    if (name === 'old.log') writeFileSync(file, '', { mode: 0o644 });
    // In a process that has ended before the folder goes: the file is opened in the background.
    printed(`openLog('store', 'info', ${JSON.stringify(file)});`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  rmSync(folder, { recursive: true });
});

test('fields that hold a secret are hidden, at the top of a line and one level below', () => {
  const fields = Object.fromEntries(['key', 'token', 'password', 'secret', 'cookie', 'authorization'].map((name) => [name, 'canary']));
  const line = JSON.stringify({ ...fields, headers: { ...fields, 'x-api-key': 'canary' } });
  const out = printed(`openLog('catalog', 'info').info(${line}, 'seen');`);
  expect(out).toContain('[hidden]');
  expect(out).not.toContain('canary');
});
