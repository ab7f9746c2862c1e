/**
 * The category tree of the demo store: two levels, from words in the names. The first rule that
 * matches wins, so specific rules (a Christmas candle) are above general ones (a candle).
 */

/** Whole words, by the category that they tell; a plural s also matches. */
const rules: Record<string, string> = {
  'Christmas > Christmas Decorations': 'christmas|reindeer|bauble|santa|snowm[ae]n|snowflake|advent|wreath|xmas',
  'Home Decor > Clocks': 'clock',
  'Home Decor > Signs & Plaques': 'metal sign|door ?sign|tin sign|sign|plaque',
  'Home Decor > Magnets': 'magnet',
  'Toys & Games > Games & Puzzles':
    'game|jigsaw|puzzle|domino(?:es)?|marble|noughts|ludo|yo-?yo|skipping rope|snakes|spinning top|kite|playing card|colouring|snap card|flying disc',
  'Toys & Games > Money Banks': 'money ?bo?x|money box(?:es)?|money bank|piggy bank|spaceship bank',
  'Toys & Games > Dolls & Playhouse':
    'playhouse|doll|dollcraft|puppet|teddy|toy|helicopter|robot|nesting box(?:es)?|inflatable|rocking horse|soldier|harmonica|tambourine',
  'Jewellery & Accessories > Necklaces & Bracelets': 'necklace|bracelet|bangle|pendant|choker|lariat',
  'Jewellery & Accessories > Earrings, Rings & Brooches': 'earring|brooch|(?<!key )(?<!napkin )(?<!brocade )ring(?! of)',
  'Jewellery & Accessories > Hair Accessories': 'hair|hair ?clip|hair ?band|alice band',
  'Jewellery & Accessories > Key Rings & Charms': 'key ?ring|key fob|bag charm|phone charm',
  'Jewellery & Accessories > Umbrellas & Rainwear': 'umbrella|parasol|poncho|rain ?hat',
  'Bags & Travel > Lunch Bags & Boxes': 'lunch|snack box(?:es)?',
  'Bags & Travel > Purses & Make-Up Bags': 'purse|wallet|make ?up bag|cosmetic bag|wash ?bag',
  'Party & Celebration > Birthday & Party': 'birthday|party|balloon|invite|paper chain|honeycomb|confetti',
  'Party & Celebration > Bunting & Garlands': 'bunting|garland',
  'Party & Celebration > Paper Tableware': 'paper plate|paper cup|napkin|doil(?:y|ies)|tissue|straw',
  'Stationery & Gift Wrap > Sewing & Crafts':
    'sewing|feltcraft|felt craft|knitting|crochet|button|measuring tape|pin cushion|stencil|origami paper|card kit|craft',
  'Stationery & Gift Wrap > Gift Wrap & Ribbons': 'wrap|ribbon|gift tape|gift bag|tape|tag|envelope',
  'Stationery & Gift Wrap > Cards': 'card|postcard|greeting',
  'Bags & Travel > Shoppers & Jumbo Bags': 'jumbo|shopper|tote|shopping|backpack|bag',
  'Bags & Travel > Travel': 'luggage|passport|travel|airline|suitcase',
  'Stationery & Gift Wrap > Pens, Pencils & Notebooks':
    'pen|pencil|crayon|notebook|sketchbook|diary|journal|eraser|rubber|ruler|memo|notepad|organiser|calendar|chalk|blackboard|book|writing set|drawing slate',
  'Stationery & Gift Wrap > Stickers & Badges': 'sticker|badge',
  'Lighting & Candles > T-Light Holders': 't-?light|tealight',
  'Lighting & Candles > Candles & Holders': 'candle ?\\w*|votive',
  'Lighting & Candles > Lanterns & Lights': 'lantern|lights|night light|table light|bird light|lamp|lampshade|torch|chandelier|sconce',
  'Lighting & Candles > Incense & Fragrance': 'incense|oil burner|scented|fragrance|pot ?pourri',
  'Bath & Wellbeing > Hot Water Bottles & Warmers': 'hot water|hand ?warmer|hottie|heat pack|slipper|ear ?muff|bed ?sock',
  'Bath & Wellbeing > Bath & Beauty': 'bath(?:room)?|soap|(?<!tea )towel|shower|flannel|sponge|plaster|nail|beauty|toothbrush|massager',
  'Kitchen & Dining > Baking':
    'cake|cookie|biscuit|baking|recipe|measuring|rolling pin|jam|jelly|pudding|petit four|cutter|oven|kitchen scale|muffin',
  'Kitchen & Dining > Mugs & Cups': 'mug|cup|saucer|beaker|tumbler',
  'Kitchen & Dining > Tea & Coffee': 'tea|teapot|coffee|tea ?time|teaspoon|egg|toast\\w*|breakfast|milk|sugar|cafe',
  'Kitchen & Dining > Tableware':
    'plate|bowl|dish(?:es)?|cutlery|jug|spoon|fork|dinner|coaster|place ?mat|tray|platter|picnic|wine|cocktail|pizza|salad|cruet|butter|glass(?:es)? tumbler',
  'Kitchen & Dining > Kitchen Storage & Textiles': 'tin|jar|canister|bread bin|bin|apron|tea towel|kitchen|food cover|cosy|bottle|pantry',
  'Garden > Garden & Birds':
    'garden|watering|plant|planter|herb|seed|grow|trowel|secateur|bucket|shed|thermometer|bird ?house|bird table|bird feeder|gardener',
  "Toys & Games > Children's Room": 'childs?|childrens?|children.s|kids?|baby|animals?|dinosaur|circus|paint|stress ball|rabbit|monkey',
  'Home Decor > Hooks, Hangers & Knobs': 'hook|hanger|coat ?hanger|coat rack|rack|doorstop|door|knob',
  'Home Decor > Frames, Mirrors & Wall Art': 'frame|mirror(?:ed)?|photo|picture|canvas|poster|print|wall art|letter',
  'Home Decor > Cushions, Mats & Textiles': 'cushion|doormat|throw|rug|quilt|blanket|mat|filler pad|curtain|fabric|cover',
  'Home Decor > Boxes & Small Furniture': 'box(?:es)?|drawer|cabinet|chest|basket|stool|chair|shelf|cupboard|trinket|tidy|stand|crate',
  'Home Decor > Hearts & Hanging Decorations': 'heart|hanging|decoration|angel|butterfly|star|mobile|windmill|bell|tree',
  'Home Decor > Ornaments & Vases':
    'ornament|vase|bird|fairy|flower|globe|feather|rose|gnome|candelabra|figure|wood(?:en)?|glass|ceramic|porcelain|zinc|metal|enamel|crystal|ball|cat|dog|owl|buddha|elephant|hen|duck|cockerel|frog|block word|holder',
};

// Whole words only: `tin` does not match `knitting`.
const compiled = Object.entries(rules).map(([path, words]) => ({ path, test: new RegExp(`(?<![a-z])(?:${words})s?(?![a-z])`) }));

/** For products that no rule matches. */
const other = 'Gifts > More Gifts';

/** The subcategory of a product by its name. */
export function categoryOf(productName: string): { parent: string; name: string } {
  const text = productName.toLowerCase();
  const { path } = compiled.find(({ test }) => test.test(text)) ?? { path: other };
  const [parent, name] = path.split(' > ') as [string, string];
  return { parent, name };
}
