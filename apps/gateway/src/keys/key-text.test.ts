import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashKey, keyHashes, keyPattern, keyPrefix, newKey, parseKey, parsePeppers } from './key-text.ts';

describe('the text of a key (D7)', () => {
  test('a new key matches the published pattern and its checksum, and is never repeated', () => {
    const keys = Array.from({ length: 200 }, newKey);
    for (const key of keys) {
      expect(key).toMatch(keyPattern);
      expect(key.startsWith(keyPrefix)).toBe(true);
      expect(parseKey(key)).toBe(key);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('one changed character is refused without a lookup, at any position', () => {
    const key = newKey();
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(parseKey(key.slice(0, index) + other + key.slice(index + 1))).toBeUndefined();
    }
  });

  test('invalid texts of any kind are refused', () => {
    const key = newKey();
    const changed = [key.toLowerCase(), `${key} `, `${key}, ${key}`, key.slice(0, -1), `x${key}`];
    for (const text of [...changed, '', ' ', "' OR 1=1--", '\0', 'é'.repeat(58)]) expect(parseKey(text)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => parseKey(text) === undefined));
  });

  test('the stored hash depends on the pepper, and the newest comes first', () => {
    const peppers = parsePeppers(`2:${randomBytes(32).toString('base64')},1:${randomBytes(32).toString('base64')}`);
    const key = newKey();
    const hashes = keyHashes(peppers, key);
    expect(hashes.map(({ pepperId }) => pepperId)).toEqual([2, 1]);
    expect(hashes[0]!.hash).toHaveLength(32);
    expect(hashes[0]!.hash.equals(hashes[1]!.hash)).toBe(false);
    expect(hashKey(peppers[0]!, key).equals(hashes[0]!.hash)).toBe(true);
  });

  test('a pepper shorter than 32 bytes stops the start', () => {
    expect(() => parsePeppers(`1:${randomBytes(31).toString('base64')}`)).toThrow('pepper 1 must be at least 32 bytes');
    expect(() => parsePeppers('secret')).toThrow('id:base64');
  });
});
