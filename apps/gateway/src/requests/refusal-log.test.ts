import { beforeEach, expect, test } from '@jest/globals';
import { SetClock } from '@store/testbed';
import { RefusalLog } from './refusal-log.ts';

const clock = new SetClock('2026-11-21T09:30:00.000Z');
let lines: object[];
let refusals: RefusalLog;
beforeEach(() => {
  clock.set('2026-11-21T09:30:00.000Z');
  lines = [];
  refusals = new RefusalLog(clock, { info: (fields: object) => lines.push(fields) });
});

const minute = '2026-11-21T09:30:00.000Z';

test('D259: a minute of 401 and 429 is one line per key or address, written at its end', () => {
  for (let n = 0; n < 500; n++) {
    refusals.count({ status: 401, ip: '192.0.2.7' });
    refusals.count({ status: 429, ip: '192.0.2.7', keyId: 5 });
  }
  refusals.flush();
  expect(lines).toEqual([]);
  clock.advance(60_000);
  refusals.flush();
  const expected = [
    { status: 401, address: '192.0.2.7', requests: 500, minute },
    { status: 429, key_id: 5, requests: 500, minute },
  ];
  expect(lines).toEqual(expected);
  clock.advance(60_000);
  refusals.flush();
  expect(lines).toEqual(expected);
});

test('more than 1,000 addresses in a minute add one line', () => {
  for (let n = 0; n < 3_000; n++) refusals.count({ status: 401, ip: `198.51.${Math.floor(n / 250)}.${n % 250}` });
  refusals.end();
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toEqual({ status: 401, address: 'others', requests: 2_000, minute });
});
