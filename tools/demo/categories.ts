/**
 * The category tree of the demo store: two levels, from words in the names. The first rule that
 * matches wins, so specific rules (a Christmas candle) are above general ones (a candle).
 */

interface Rule {
  parent: string;
  name: string;
  /** Whole words; a plural s also matches. */
  words: string;
}

const rules: Rule[] = [
  { parent: 'Christmas', name: 'Christmas Decorations', words: 'christmas|reindeer|bauble|santa|snowm[ae]n|snowflake|advent|wreath|xmas' },
  { parent: 'Home Decor', name: 'Clocks', words: 'clock' },
  { parent: 'Home Decor', name: 'Signs & Plaques', words: 'metal sign|door ?sign|tin sign|sign|plaque' },
  { parent: 'Home Decor', name: 'Magnets', words: 'magnet' },
  {
    parent: 'Toys & Games',
    name: 'Games & Puzzles',
    words:
      'game|jigsaw|puzzle|domino(?:es)?|marble|noughts|ludo|yo-?yo|skipping rope|snakes|spinning top|kite|playing card|colouring|snap card|flying disc',
  },
  { parent: 'Toys & Games', name: 'Money Banks', words: 'money ?bo?x|money box(?:es)?|money bank|piggy bank|spaceship bank' },
  {
    parent: 'Toys & Games',
    name: 'Dolls & Playhouse',
    words:
      'playhouse|doll|dollcraft|puppet|teddy|toy|helicopter|robot|nesting box(?:es)?|inflatable|rocking horse|soldier|harmonica|tambourine',
  },
  { parent: 'Jewellery & Accessories', name: 'Necklaces & Bracelets', words: 'necklace|bracelet|bangle|pendant|choker|lariat' },
  {
    parent: 'Jewellery & Accessories',
    name: 'Earrings, Rings & Brooches',
    words: 'earring|brooch|(?<!key )(?<!napkin )(?<!brocade )ring(?! of)',
  },
  { parent: 'Jewellery & Accessories', name: 'Hair Accessories', words: 'hair|hair ?clip|hair ?band|alice band' },
  { parent: 'Jewellery & Accessories', name: 'Key Rings & Charms', words: 'key ?ring|key fob|bag charm|phone charm' },
  { parent: 'Jewellery & Accessories', name: 'Umbrellas & Rainwear', words: 'umbrella|parasol|poncho|rain ?hat' },
  { parent: 'Bags & Travel', name: 'Lunch Bags & Boxes', words: 'lunch|snack box(?:es)?' },
  { parent: 'Bags & Travel', name: 'Purses & Make-Up Bags', words: 'purse|wallet|make ?up bag|cosmetic bag|wash ?bag' },
  { parent: 'Party & Celebration', name: 'Birthday & Party', words: 'birthday|party|balloon|invite|paper chain|honeycomb|confetti' },
  { parent: 'Party & Celebration', name: 'Bunting & Garlands', words: 'bunting|garland' },
  { parent: 'Party & Celebration', name: 'Paper Tableware', words: 'paper plate|paper cup|napkin|doil(?:y|ies)|tissue|straw' },
  {
    parent: 'Stationery & Gift Wrap',
    name: 'Sewing & Crafts',
    words: 'sewing|feltcraft|felt craft|knitting|crochet|button|measuring tape|pin cushion|stencil|origami paper|card kit|craft',
  },
  { parent: 'Stationery & Gift Wrap', name: 'Gift Wrap & Ribbons', words: 'wrap|ribbon|gift tape|gift bag|tape|tag|envelope' },
  { parent: 'Stationery & Gift Wrap', name: 'Cards', words: 'card|postcard|greeting' },
  { parent: 'Bags & Travel', name: 'Shoppers & Jumbo Bags', words: 'jumbo|shopper|tote|shopping|backpack|bag' },
  { parent: 'Bags & Travel', name: 'Travel', words: 'luggage|passport|travel|airline|suitcase' },
  {
    parent: 'Stationery & Gift Wrap',
    name: 'Pens, Pencils & Notebooks',
    words:
      'pen|pencil|crayon|notebook|sketchbook|diary|journal|eraser|rubber|ruler|memo|notepad|organiser|calendar|chalk|blackboard|book|writing set|drawing slate',
  },
  { parent: 'Stationery & Gift Wrap', name: 'Stickers & Badges', words: 'sticker|badge' },
  { parent: 'Lighting & Candles', name: 'T-Light Holders', words: 't-?light|tealight' },
  { parent: 'Lighting & Candles', name: 'Candles & Holders', words: 'candle ?\\w*|votive' },
  {
    parent: 'Lighting & Candles',
    name: 'Lanterns & Lights',
    words: 'lantern|lights|night light|table light|bird light|lamp|lampshade|torch|chandelier|sconce',
  },
  { parent: 'Lighting & Candles', name: 'Incense & Fragrance', words: 'incense|oil burner|scented|fragrance|pot ?pourri' },
  {
    parent: 'Bath & Wellbeing',
    name: 'Hot Water Bottles & Warmers',
    words: 'hot water|hand ?warmer|hottie|heat pack|slipper|ear ?muff|bed ?sock',
  },
  {
    parent: 'Bath & Wellbeing',
    name: 'Bath & Beauty',
    words: 'bath(?:room)?|soap|(?<!tea )towel|shower|flannel|sponge|plaster|nail|beauty|toothbrush|massager',
  },
  {
    parent: 'Kitchen & Dining',
    name: 'Baking',
    words: 'cake|cookie|biscuit|baking|recipe|measuring|rolling pin|jam|jelly|pudding|petit four|cutter|oven|kitchen scale|muffin',
  },
  { parent: 'Kitchen & Dining', name: 'Mugs & Cups', words: 'mug|cup|saucer|beaker|tumbler' },
  {
    parent: 'Kitchen & Dining',
    name: 'Tea & Coffee',
    words: 'tea|teapot|coffee|tea ?time|teaspoon|egg|toast\\w*|breakfast|milk|sugar|cafe',
  },
  {
    parent: 'Kitchen & Dining',
    name: 'Tableware',
    words:
      'plate|bowl|dish(?:es)?|cutlery|jug|spoon|fork|dinner|coaster|place ?mat|tray|platter|picnic|wine|cocktail|pizza|salad|cruet|butter|glass(?:es)? tumbler',
  },
  {
    parent: 'Kitchen & Dining',
    name: 'Kitchen Storage & Textiles',
    words: 'tin|jar|canister|bread bin|bin|apron|tea towel|kitchen|food cover|cosy|bottle|pantry',
  },
  {
    parent: 'Garden',
    name: 'Garden & Birds',
    words:
      'garden|watering|plant|planter|herb|seed|grow|trowel|secateur|bucket|shed|thermometer|bird ?house|bird table|bird feeder|gardener',
  },
  {
    parent: 'Toys & Games',
    name: "Children's Room",
    words: 'childs?|childrens?|children.s|kids?|baby|animals?|dinosaur|circus|paint|stress ball|rabbit|monkey',
  },
  { parent: 'Home Decor', name: 'Hooks, Hangers & Knobs', words: 'hook|hanger|coat ?hanger|coat rack|rack|doorstop|door|knob' },
  {
    parent: 'Home Decor',
    name: 'Frames, Mirrors & Wall Art',
    words: 'frame|mirror(?:ed)?|photo|picture|canvas|poster|print|wall art|letter',
  },
  {
    parent: 'Home Decor',
    name: 'Cushions, Mats & Textiles',
    words: 'cushion|doormat|throw|rug|quilt|blanket|mat|filler pad|curtain|fabric|cover',
  },
  {
    parent: 'Home Decor',
    name: 'Boxes & Small Furniture',
    words: 'box(?:es)?|drawer|cabinet|chest|basket|stool|chair|shelf|cupboard|trinket|tidy|stand|crate',
  },
  {
    parent: 'Home Decor',
    name: 'Hearts & Hanging Decorations',
    words: 'heart|hanging|decoration|angel|butterfly|star|mobile|windmill|bell|tree',
  },
  {
    parent: 'Home Decor',
    name: 'Ornaments & Vases',
    words:
      'ornament|vase|bird|fairy|flower|globe|feather|rose|gnome|candelabra|figure|wood(?:en)?|glass|ceramic|porcelain|zinc|metal|enamel|crystal|ball|cat|dog|owl|buddha|elephant|hen|duck|cockerel|frog|block word|holder',
  },
];

// Whole words only: `tin` does not match `knitting`.
const compiled = rules.map((rule) => ({ ...rule, test: new RegExp(`(?<![a-z])(?:${rule.words})s?(?![a-z])`) }));

/** For products that no rule matches. */
const other = { parent: 'Gifts', name: 'More Gifts' };

/** The subcategory of a product by its name. */
export function categoryOf(productName: string): { parent: string; name: string } {
  const text = productName.toLowerCase();
  const found = compiled.find((rule) => rule.test.test(text));
  return found ? { parent: found.parent, name: found.name } : other;
}
