/** JSON text as bytes that grow at their end: texts of the wire are copied as they are, which is most of an answer. */
const firstBytes = 64 * 1024;
/** A larger buffer is not kept for the next answer. */
const keptBytesMax = 4 * 1024 * 1024;
/** From this length on a call into Node is quicker than a loop. */
const longText = 48;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const zero = 0x30;
const minus = 0x2d;

export class JsonOut {
  bytes = Buffer.allocUnsafeSlow(firstBytes);
  end = 0;

  /** What was written from `start` to `end`, as text. */
  text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  clear(): void {
    this.end = 0;
    if (this.bytes.length > keptBytesMax) this.bytes = Buffer.allocUnsafeSlow(firstBytes);
  }

  byte(code: number): void {
    this.#room(1);
    this.bytes[this.end++] = code;
  }

  /** Text of ASCII characters alone. */
  ascii(text: string): void {
    this.#room(text.length);
    const { bytes, end } = this;
    for (let n = 0; n < text.length; n++) bytes[end + n] = text.charCodeAt(n);
    this.end = end + text.length;
  }

  /** JSON that is ready, such as a name with its colon. */
  copy(source: Uint8Array): void {
    this.#room(source.length);
    this.#append(source, 0, source.length);
  }

  /** JSON that came as a text of the wire. */
  raw(source: Buffer, start: number, stop: number): void {
    this.#room(stop - start);
    this.#append(source, start, stop);
  }

  /** A text of the wire as a JSON string. Its UTF-8 is JSON already, except for what must be escaped. */
  string(source: Buffer, start: number, stop: number): void {
    if (mustEscape(source, start, stop)) {
      const json = Buffer.from(JSON.stringify(source.toString('utf8', start, stop)));
      this.raw(json, 0, json.length);
      return;
    }
    this.#room(stop - start + 2);
    this.bytes[this.end++] = quote;
    this.#append(source, start, stop);
    this.bytes[this.end++] = quote;
  }

  /** A whole number; digits are written from the last to the first. */
  integer(value: number): void {
    this.#room(20);
    if (value < 0) this.bytes[this.end++] = minus;
    let rest = Math.abs(value);
    let length = 1;
    for (let limit = 10; rest >= limit; limit *= 10) length += 1;
    const { bytes } = this;
    for (let at = this.end + length - 1; at >= this.end; at--) {
      const tenth = Math.floor(rest / 10);
      bytes[at] = zero + (rest - tenth * 10);
      rest = tenth;
    }
    this.end += length;
  }

  #append(source: Uint8Array, start: number, stop: number): void {
    const { bytes, end } = this;
    if (stop - start >= longText) bytes.set(source.subarray(start, stop), end);
    else for (let from = start, to = end; from < stop; from++, to++) bytes[to] = source[from]!;
    this.end = end + stop - start;
  }

  #room(count: number): void {
    const needed = this.end + count;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

function mustEscape(source: Buffer, start: number, stop: number): boolean {
  for (let at = start; at < stop; at++) {
    const byte = source[at]!;
    if (byte < space || byte === quote || byte === backslash) return true;
  }
  return false;
}
