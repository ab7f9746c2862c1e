import type protobuf from 'protobufjs';

/** Whole numbers up to 2^49 are read as numbers; seven bits a byte. */
const plainBytes = 7;

export class WireReader {
  readonly bytes: Buffer;
  pos = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A number below 2^49: a tag, a length, a truth value. */
  small(): number {
    const { bytes } = this;
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[this.pos++];
      if (byte === undefined) throw new Error('the message is cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** An int32 or int64 that is exact as a number; a larger one as a bigint. */
  integer(): number | bigint {
    const start = this.pos;
    const value = this.small();
    if (this.pos - start <= plainBytes) return value;
    let exact = 0n;
    for (let at = this.pos - 1; at >= start; at--) exact = (exact << 7n) | BigInt(this.bytes[at]! & 0x7f);
    return BigInt.asIntN(64, exact);
  }

  double(): number {
    this.pos += 8;
    return this.bytes.readDoubleLE(this.pos - 8);
  }

  skip(wireType: number): void {
    if (wireType === 0) this.small();
    else if (wireType === 1) this.pos += 8;
    else if (wireType === 5) this.pos += 4;
    else if (wireType === 2) this.pos = this.small() + this.pos;
    else throw new Error(`no message has the wire type ${wireType}`);
  }
}

/** Fields in the order of their numbers, and of each that is not repeated the last: a message may be written in any order. */
export function inOrder(type: protobuf.Type, bytes: Uint8Array): Buffer {
  const reader = new WireReader(bytes);
  const fields: { number: number; part: Buffer }[] = [];
  while (reader.pos < bytes.length) {
    const start = reader.pos;
    const tag = reader.small();
    reader.skip(tag & 7);
    fields.push({ number: tag >>> 3, part: reader.bytes.subarray(start, reader.pos) });
  }
  const last = new Map(fields.map(({ number }, index) => [number, index]));
  const kept = fields.filter(({ number }, index) => type.fieldsById[number]?.repeated || last.get(number) === index);
  return Buffer.concat(kept.sort((a, b) => a.number - b.number).map(({ part }) => part));
}
