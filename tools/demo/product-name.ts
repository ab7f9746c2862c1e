/** Turns the till's capitals into a readable name: `SET OF 3 BLACK FLYING DUCKS` → `Set of 3 Black Flying Ducks`. */

const smallWords = new Set(['a', 'and', 'at', 'by', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);
/** Abbreviations, which keep their capitals. */
const keptWords = new Set(['CD', 'DIY', 'DVD', 'EPNS', 'II', 'IV', 'LED', 'M.O.P', 'TV', 'UK', 'USA', 'XL']);
/** Short forms that the till uses. */
const shortForms = new Map([
  ['w', 'with'],
  ['ass', 'assorted'],
  ['asst', 'assorted'],
  ['asstd', 'assorted'],
  ['ant', 'antique'],
  ['des', 'design'],
]);

/** Irregular spaces, commas without a space and a trailing mark come from the till; everything else is the name. */
export function productName(description: string): string {
  const text = description
    .trim()
    .replace(/\s*,\s*/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,.;]+$/g, '');
  return text
    .split(' ')
    .map((word, index) => nameWord(word, index === 0))
    .join(' ');
}

function nameWord(word: string, first: boolean): string {
  if (keptWords.has(word)) return word;
  const lower = word.toLowerCase();
  const plain = shortForms.get(lower) ?? lower;
  if (!first && smallWords.has(plain)) return plain;
  // A size or a count keeps its unit in lower case (60cm, 11 pc), a paper size or 3D its capital letter.
  if (/^\d+(\.\d+)?(cm|mm|m|g|kg|ml|l|pc|x\d+cm)$/.test(plain) || /^\d+x\d+cm$/.test(plain)) return plain;
  return plain.replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}
