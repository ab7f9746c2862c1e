/** The slot of Redis Cluster that a key with this hash tag is in: CRC16 (XMODEM) of the tag, modulo 16,384. */
export const slots = 16_384;

const polynomial = 0x1021;
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1;
  return crc;
});

export function slotOf(tag: string): number {
  let crc = 0;
  for (let at = 0; at < tag.length; at += 1) crc = ((crc << 8) ^ table[((crc >> 8) ^ tag.charCodeAt(at)) & 0xff]!) & 0xffff;
  return crc % slots;
}
