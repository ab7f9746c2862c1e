import { AssertionError } from 'node:assert';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import { capturingLog, logNothing } from '@store/testbed';
import { surviveRejections } from './rejections.ts';

test('a rejection that nothing awaits is logged and counted', () => {
  const from = new EventEmitter();
  const { log, lines } = capturingLog();
  const survived = surviveRejections(log, from as NodeJS.Process);
  from.emit('unhandledRejection', new Error('nobody waits'));
  from.emit('unhandledRejection', undefined);
  expect(survived.count).toBe(2);
  expect(lines[0]).toMatchObject({ level: 50, err: { message: 'nobody waits' }, survived: 1 });
});

test.each([new AssertionError({ message: 'broken' }), Object.assign(new Error('broken'), { code: 'ERR_INTERNAL_ASSERTION' })])(
  'a failed assertion is not survived: %p',
  (failure) => {
    const from = new EventEmitter();
    surviveRejections(logNothing, from as NodeJS.Process);
    expect(() => from.emit('unhandledRejection', failure)).toThrow(failure);
  },
);

const ended = async (script: string): Promise<{ code: number | null; out: string }> => {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { cwd: import.meta.dirname });
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
};
const survive = `import { surviveRejections } from './rejections.ts'; surviveRejections({ error: (_, text) => console.log(text) });`;

test('a process continues after one, and ends after an uncaught exception', async () => {
  const goesOn = `${survive} Promise.reject(new Error('x')); setTimeout(() => console.log('still here'), 50);`;
  expect(await ended(goesOn)).toEqual({ code: 0, out: expect.stringMatching(/going on\nstill here\n$/) });
  const thrown = `${survive} setTimeout(() => console.log('still here'), 50); setTimeout(() => { throw new Error('x'); }, 1);`;
  expect(await ended(thrown)).toEqual({ code: 1, out: '' });
});
