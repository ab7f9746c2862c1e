import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonValueCount, jsonValuesMax } from './json-values.ts';

/** Counts values as JSON.parse creates them; keys do not count. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1);
}

const passes = (max: number, ...chunks: Uint8Array[]) => {
  const count = new JsonValueCount(max);
  return chunks.every((chunk) => count.take(chunk));
};

test('exactly the limit of values passes and one more is refused, however bytes split', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(6), fc.double({ min: 0, max: 1, noNaN: true }), (value, indent, where) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent));
      const cut = Math.floor(bytes.length * where);
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(passes(valuesOf(value), ...chunks)).toBe(true);
      // A key is counted until its colon, so the last value of an object is only certain once its keys are complete.
      expect(passes(valuesOf(value) - 1, ...chunks)).toBe(false);
    }),
  );
});

test('quoted text is not counted as values, however it is escaped', () => {
  expect(passes(2, Buffer.from('["\\"[{,0,0\\\\"]'))).toBe(true);
  expect(passes(1, Buffer.from('["\\"[{,0,0\\\\"]'))).toBe(false);
});

test.each(['0,', '{},', '[],', '"",', 'null,', '[', '{"a":', '-1e5 '])('5 MB of %s are refused before the end', (piece) => {
  const count = new JsonValueCount();
  const chunk = Buffer.from(piece.repeat(65_536 / piece.length));
  let chunks = 1;
  while (count.take(chunk)) chunks += 1;
  expect(chunks * chunk.length).toBeLessThan(jsonValuesMax * (piece.length + 1) + chunk.length);
});

test('colons in invalid places hide no values', () => {
  const before = Buffer.from('[0'.padEnd(2 * jsonValuesMax, ',0'));
  expect(passes(jsonValuesMax, Buffer.from(':'.repeat(1_000_000)), before)).toBe(true);
  expect(passes(jsonValuesMax, before, Buffer.from(',0,0,0'))).toBe(false);
});
