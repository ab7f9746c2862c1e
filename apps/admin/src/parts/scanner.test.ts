import { expect, test } from '@jest/globals';
import { Burst, betweenScans, isOfTimes, Scans } from './scanner.ts';

function codesOf(typed: [text: string, gapMs: number][]): string[] {
  const burst = new Burst();
  let at = 0;
  return typed.flatMap(([text, gapMs]) =>
    [...text].flatMap((key) => {
      at += gapMs;
      return burst.key({ key: { '\n': 'Enter', '^': 'F4' }[key] ?? key, at }).code ?? [];
    }),
  );
}

test('a code typed within milliseconds is a scan; what a hand types is not', () => {
  expect(codesOf([['5000000000017\n', 5]])).toEqual(['5000000000017']);
  expect(codesOf([['5000000000017\n', 60]])).toEqual([]);
  expect([codesOf([['12\n', 5]]), codesOf([['12\n', 25]]), codesOf([['1\n', 5]])]).toEqual([['12'], [], []]);
  // A key of the till just before it, by which a dialog may open in the middle of it.
  expect(
    codesOf([
      ['^', 120],
      ['5000000000017\n', 27],
    ]),
  ).toEqual(['5000000000017']);
  // And in the middle, by another hand.
  expect(
    codesOf([
      ['224', 25],
      ['^', 5],
      ['18\n', 25],
    ]),
  ).toEqual(['22418']);
  // A store's own codes are short.
  expect(codesOf([['22418\n2144\n', 5]])).toEqual(['22418', '2144']);
  expect(codesOf([['22418\n', 60]])).toEqual([]);
  expect(codesOf([['12.50\n5,00\n', 5]])).toEqual([]);
  // One gap is longer.
  expect(
    codesOf([
      ['224', 28],
      ['1', 90],
      ['8\n', 28],
    ]),
  ).toEqual(['22418']);
  // A hand's digits before a scan are not part of it.
  expect(
    codesOf([
      ['1', 500],
      ['2', 45],
      ['5', 300],
      ['012345678900\n', 22],
    ]),
  ).toEqual(['5012345678900']);
  expect(
    codesOf([
      ['42', 120],
      ['L', 150],
      ['AN-000001\n', 8],
    ]),
  ).toEqual(['LAN-000001']);
  // What a busy machine holds back is of the same code.
  expect(
    codesOf([
      ['500000', 5],
      ['0', 400],
      ['000017\n', 5],
    ]),
  ).toEqual(['5000000000017']);
  expect(
    codesOf([
      ['22', 25],
      ['4', 200],
      ['18\n', 25],
    ]),
  ).toEqual(['22418']);
  expect(codesOf([['11111111\n22222222\n', 5]])).toEqual(['11111111', '22222222']);
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
  expect([leads(['2'], 5), leads(['2', '4'], 2_000)]).toEqual([[''], ['', '']]);
});

test('`12,5*` before a code is of it, wherever a slow machine cuts it off', () => {
  const typed = '12,5*22418';
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
  key('4');
  const ended = betweenScans().then(() => {
    waits = false;
  });
  await Promise.resolve();
  expect(waits).toBe(true);
  await ended;
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
  expect(
    codesOf([
      ['1', 300],
      ['0', 120],
      ['0', 8],
      ['\n', 200],
    ]),
  ).toEqual([]);
  expect(codesOf([['100\n', 5]])).toEqual(['100']);
});
