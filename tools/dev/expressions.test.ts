import { expect, test } from '@jest/globals';
import { expressionsOf, faultsOf } from './expressions.ts';

test('finds literals and calls of RegExp where a parser does, and what it cannot check', () => {
  const text = [
    'const half = a / b; // not one: /x/',
    "const at = <T,>(s: string): T => s.replace(/['/]+/g, /y/.source) as T;",
    "RegExp('z+', 'i'); new RegExp('w');",
    'new RegExp(parts.join("|"));',
  ].join('\n');
  expect(expressionsOf(text, 'a.ts').map(({ at, source, flags }) => [at, source, flags])).toEqual([
    ['a.ts:2', "['/]+", 'g'],
    ['a.ts:2', 'y', ''],
    ['a.ts:3', 'z+', 'i'],
    ['a.ts:3', 'w', ''],
    ['a.ts:4', undefined, ''],
  ]);
  expect(expressionsOf('const a = <p>it is 1/2 of /all/</p>;', 'a.tsx')).toEqual([]);
});

test('linear passes; quadratic, cubic, exponential or built at run time is a fault', async () => {
  const judged = (source: string, flags = '') => faultsOf([{ at: 'a.ts:1', source, flags }]);
  expect(await judged('^[a-z]+$')).toEqual([]);
  expect(await judged('\\/+$')).toEqual([expect.stringMatching(/^a\.ts:1: .* is 2nd degree polynomial/)]);
  expect(await judged('^(a|a)+$')).toEqual([expect.stringMatching(/exponential/)]);
  const weights = '(^|,)\\s*gzip\\s*(;\\s*q=(1|0\\.\\d*[1-9]\\d*)[.0]*\\s*)?(,|$)';
  expect(await judged(weights, 'i')).toEqual([expect.stringMatching(/polynomial/)]);
  expect(await faultsOf([{ at: 'a.ts:1', flags: '' }])).toEqual([expect.stringContaining('cannot be checked')]);
});
