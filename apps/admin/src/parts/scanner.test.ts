import { expect, test } from '@jest/globals';
import { Burst, betweenScans, isOfTimes, leadMaxMs, Scans } from './scanner.ts';

/** Of texts; the number before one is the milliseconds before each of its keys. */
function codesOf(...typed: (number | string)[]): string[] {
  const burst = new Burst();
  let [at, gapMs] = [0, 0];
  return typed.flatMap((part) => {
    if (typeof part === 'number') {
      gapMs = part;
      return [];
    }
    return [...part].flatMap((key) => {
      at += gapMs;
      return burst.key({ key: { '\n': 'Enter', '\t': 'Tab', '^': 'F4' }[key] ?? key, at }).code ?? [];
    });
  });
}

test('a code typed within milliseconds is a scan; what a hand types is not', () => {
  expect(codesOf(5, '5000000000017\n')).toEqual(['5000000000017']);
  expect(codesOf(60, '5000000000017\n')).toEqual([]);
  expect([codesOf(5, '12\n'), codesOf(28, '12\n'), codesOf(40, '12\n'), codesOf(5, '1\n')]).toEqual([['12'], ['12'], [], []]);
  expect([codesOf(5, '5000000000017\t'), codesOf(60, '5000000000017\t')]).toEqual([['5000000000017'], []]);
  // A key of the till just before it, by which a dialog may open in the middle of it.
  expect(codesOf(120, '^', 27, '5000000000017\n')).toEqual(['5000000000017']);
  // And in the middle, by another hand.
  expect(codesOf(25, '224', 5, '^', 25, '18\n')).toEqual(['22418']);
  // A store's own codes are short.
  expect(codesOf(5, '22418\n2144\n')).toEqual(['22418', '2144']);
  expect(codesOf(60, '22418\n')).toEqual([]);
  expect(codesOf(5, '12.50\n5,00\n')).toEqual([]);
  // One gap is longer.
  expect(codesOf(28, '224', 90, '1', 28, '8\n')).toEqual(['22418']);
  // A hand's digits before a scan are not part of it.
  expect(codesOf(500, '1', 45, '2', 300, '5', 22, '012345678900\n')).toEqual(['5012345678900']);
  expect(codesOf(120, '42', 150, 'L', 8, 'AN-000001\n')).toEqual(['LAN-000001']);
  // What a busy machine holds back is of the same code.
  expect(codesOf(5, '500000', 400, '0', 5, '000017\n')).toEqual(['5000000000017']);
  expect(codesOf(25, '22', 200, '4', 25, '18\n')).toEqual(['22418']);
  expect(codesOf(5, '11111111\n22222222\n')).toEqual(['11111111', '22222222']);
});

test('what was typed shortly before a scan may be its beginning', () => {
  const burst = new Burst();
  let at = 0;
  const leads = (keys: string[], gapMs: number) =>
    keys.map((key) => {
      at += gapMs;
      return burst.key({ key, at }).lead;
    });
  expect([leads(['2'], 5), leads(['2'], 300), leads(['4', '1', '8', 'Enter'], 5)]).toEqual([[''], ['2'], ['2', '2', '2', '2']]);
  // A hand's last key is longer ago.
  expect([leads(['5'], 2_000), leads(['2'], 400), leads(['4', '1', '8', 'Enter'], 200)]).toEqual([[''], [''], ['2', '24', '241', '2418']]);
});

test('`12,5*` before a code is of it, wherever a slow machine cuts it off', () => {
  const typed = '12,5*22418';
  expect(isOfTimes('3* ', '22418')).toBe(true);
  const cuts = [1, 2, 3, 4, 5].map((at) => isOfTimes(typed.slice(0, at), typed.slice(at)));
  expect(cuts).toEqual(cuts.map(() => true));
  const others = [
    ['CAN', 'DLE'],
    ['40', '00017'],
    ['2*40', '00017'],
  ] as const;
  expect(others.map(([text, code]) => isOfTimes(text, code))).toEqual([false, false, false]);
});

test('what comes in the middle of a scan waits for its end', async () => {
  const scans = new Scans();
  const key = (key: string) => scans.key({ key, timeStamp: 0 } as KeyboardEvent, null);
  let waits = true;
  const typedAt = performance.now();
  key('4');
  const ended = betweenScans().then(() => {
    waits = false;
  });
  await Promise.resolve();
  expect(waits).toBe(true);
  await ended;
  // For a stall too, behind which the scanner goes on.
  expect(performance.now() - typedAt).toBeGreaterThanOrEqual(leadMaxMs);
  key('4');
  key('Enter');
  let waitsOn = true;
  void betweenScans().then(() => {
    waitsOn = false;
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(waitsOn).toBe(false);
});

test('two zeros by one key of a number pad are no code', () => {
  expect(codesOf(300, '1', 120, '0', 8, '0', 200, '\n')).toEqual([]);
  expect(codesOf(5, '100\n')).toEqual(['100']);
});

test('a second Enter or line feed that a scanner types behind a code is of the code', () => {
  const scans = new Scans();
  const key = (key: string, timeStamp: number, ctrlKey = false) => ({ key, timeStamp, ctrlKey }) as KeyboardEvent;
  for (const [n, one] of [...'21448', 'Enter'].entries()) scans.key(key(one, n * 5), null);
  const rest = [key('Enter', 30), key('j', 30, true), key('j', 30), key('Enter', 300), key('Enter', 400)];
  expect(rest.map((one) => scans.isRest(one))).toEqual([true, true, false, true, false]);
});
