/**
 * Products whose stock codes differ by a letter suffix only (85049A, 85049B, …) are often one thing in
 * several designs. They become variations of one product when their names agree too: they begin and
 * end alike and differ in one or two words between, which label the variation.
 */
import { brandOf } from './brands.ts';
import type { DemoProduct } from './products.ts';

export interface Family {
  /** The five digits, which become the sku of the product with variations. */
  sku: string;
  name: string;
  members: { sku: string; label: string }[];
}

/** Fewer shared words do not identify a product. */
const sharedWordsMin = 2;
/** A name with more words of its own is a different product. */
const ownWordsMax = 2;
const noNames = new Set(['in', 'of', 'and', 'with', 'the', 'set', 'pack', '&', 'on', 'design']);

export function families(products: DemoProduct[]): Family[] {
  const taken = new Set(products.map((product) => product.sku));
  const byStem = Map.groupBy(products, (product) => product.sku.slice(0, 5));
  return [...byStem].flatMap(([stem, members]) => {
    if (members.length < 2 || taken.has(stem)) return [];
    const family = familyOf(stem, members);
    return family ? [family] : [];
  });
}

function familyOf(stem: string, members: DemoProduct[]): Family | undefined {
  const words = members.map((member) => member.name.split(' '));
  const shortest = Math.min(...words.map((own) => own.length));
  const alike = (at: (own: string[]) => string | undefined) => words.every((own) => at(own) === at(words[0]!));
  let head = 0;
  while (head < shortest - 1 && alike((own) => own[head])) head++;
  let tail = 0;
  while (head + tail < shortest - 1 && alike((own) => own.at(-1 - tail))) tail++;
  const shared = [...words[0]!.slice(0, head), ...words[0]!.slice(words[0]!.length - tail)];
  const name = shared.join(' ').replace(/[\s,&+]+$/, '');
  const labels = words.map((own) => own.slice(head, own.length - tail));
  const names = shared.filter((word) => /\p{L}{2}/u.test(word) && !noNames.has(word.toLowerCase()));
  // A range (English Rose) is not a product name, and a name that begins with a joiner is incomplete.
  if (names.length < sharedWordsMin || brandOf(name) === name || /^[&+]/.test(name)) return undefined;
  if (labels.some((label) => label.length > ownWordsMax) || new Set(labels.map(String)).size !== members.length) return undefined;
  return { sku: stem, name, members: members.map((member, index) => ({ sku: member.sku, label: labels[index]!.join(' ') })) };
}
