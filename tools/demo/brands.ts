/** The data has no makers, but the names of many products show the range they belong to; a range becomes a brand. */

const ranges: [brand: string, words: RegExp][] = [
  ['Charlie & Lola', /charlie ?(?:\+|and|&) ?lola|charlie lola/],
  ["Poppy's Playhouse", /poppy'?s playhouse/],
  ['Circus Parade', /circus parade/],
  ['Dolly Girl', /dolly girl/],
  ['Spaceboy', /spaceboy/],
  ['Suki', /suki/],
  ['Tutti Frutti', /tutti frutti/],
  ['Retrospot', /retrospot|retro ?spot/],
  ['Babushka', /babushka/],
  ['Paisley Park', /paisley park/],
  ['Pink Paisley', /pink paisley/],
  ['Skulls', /skulls?\b/],
  ['Regency', /regency/],
  ['Woodland', /woodland/],
  ['English Rose', /english rose/],
  ['Fairy Cake', /fairy cakes?\b/],
  ['Feltcraft', /feltcraft/],
  ['Folkart', /folk ?art/],
  ['Kings Choice', /kings choice/],
  ['Morris', /\bmorris\b/],
  ['Boudicca', /boudicca/],
  ['Murano', /murano/],
  ['Edwardian', /edwardian/],
  ['Diner Style', /diner style/],
  ['Billboard', /billboard/],
  ['I Love London', /i love london/],
  ['Union Jack', /union (?:jack|flag)/],
  ['Jam Making', /jam making/],
  ['Strawberry', /strawberry/],
  ['Polkadot', /polkadot/],
];

export const brandNames = ranges.map(([brand]) => brand);

/** The range a product belongs to; undefined for most. */
export function brandOf(productName: string): string | undefined {
  const text = productName.toLowerCase();
  return ranges.find(([, words]) => words.test(text))?.[0];
}
