import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseKeyRing, parseSecrets } from './key-ring.ts';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');

describe('the key ring', () => {
  test('an encrypted text decrypts to the same bytes, for any bytes and any row', () => {
    const ring = parseKeyRing(`1:${first}`);
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plain, row) => {
        expect(new Uint8Array(ring.open(ring.seal(plain, row), row))).toEqual(new Uint8Array(plain));
      }),
    );
  });

  test('no byte of a sealed text can be changed unnoticed (P29)', () => {
    const ring = parseKeyRing(`1:${first}`);
    const sealed = Buffer.from(ring.seal(Buffer.from('whsec_secret'), 'row:1'));
    for (let index = 0; index < sealed.length; index++) {
      for (const bit of [0x01, 0x02, 0x20]) {
        const changed = Buffer.from(sealed);
        changed[index]! ^= bit;
        expect(() => ring.open(changed.toString('latin1'), 'row:1')).toThrow();
      }
    }
  });

  test('a text copied to another row is refused', () => {
    const ring = parseKeyRing(`1:${first}`);
    expect(() => ring.open(ring.seal(Buffer.from('x'), 'row:1'), 'row:2')).toThrow();
  });

  test('the newest key encrypts and an older one still decrypts', () => {
    const old = parseKeyRing(`1:${first}`);
    const rotated = parseKeyRing(`2:${second},1:${first}`);
    expect(rotated.open(old.seal(Buffer.from('x'), 'r'), 'r').toString()).toBe('x');
    expect(rotated.seal(Buffer.from('x'), 'r')).toMatch(/^v1\|2\|/);
    expect(() => old.open(rotated.seal(Buffer.from('x'), 'r'), 'r')).toThrow('no key 2');
  });

  test.each(['', '1', '1:', '1:AAAA', `1:${first},1:${second}`, `x:${first}`])('the bad ring "%s" is refused at the start', (text) => {
    expect(() => parseKeyRing(text)).toThrow();
  });

  test('secrets keep their order', () => {
    expect(parseSecrets(`7:${second},3:${first}`).map(({ id }) => id)).toEqual([7, 3]);
  });
});
