/** Counts the values of a JSON text as it arrives: parsing many small ones costs far more than their bytes. */
export const jsonValuesMax = 200_000;

const space = 0;
const comma = 1;
const colon = 2;
const opening = 3;
const quote = 4;
const other = 5;

const backslashByte = 0x5c;
const quoteByte = 0x22;

/** Meaning of a byte outside a string; bytes of numbers and words are `other`. */
const kinds = new Uint8Array(256).fill(other);
for (const [kind, text] of [
  [space, ' \t\n\r'],
  [comma, ',]}'],
  [colon, ':'],
  [opening, '[{'],
  [quote, '"'],
] as const) {
  for (const byte of Buffer.from(text)) kinds[byte] = kind;
}

export class JsonValueCount {
  readonly #max: number;
  #count = 0;
  #inString = false;
  #afterBackslash = false;
  #inWord = false;

  constructor(max = jsonValuesMax) {
    this.#max = max;
  }

  /** Counts the next bytes; false once there are too many. Invalid JSON is counted up to where a parser would stop. */
  take(bytes: Uint8Array): boolean {
    // Local copies: private fields would double the loop's time.
    const max = this.#max;
    let [count, inString, inWord] = [this.#count, this.#inString, this.#inWord];
    let at = this.#afterBackslash ? 1 : 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (inString) {
        if (byte === quoteByte) inString = false;
        else if (byte === backslashByte) at += 1;
        continue;
      }
      const kind = kinds[byte]!;
      if (kind === other) {
        if (inWord) continue;
        count += 1;
        inWord = true;
      } else {
        inWord = false;
        // A key is a string but not a value; only invalid JSON has more colons than keys.
        if (kind === colon) count -= 1;
        else if (kind === opening || kind === quote) count += 1;
        inString = kind === quote;
      }
      if (count > max) return false;
    }
    [this.#count, this.#inString, this.#inWord] = [count, inString, inWord];
    this.#afterBackslash = at > bytes.length;
    return true;
  }
}
