/** The shelf before the first sale: what five days sold, twice over, rounded up to whole cases. */
import type { DemoProduct } from './products.ts';

/** Cases of six and their doublings: few levels, so that stock is set in few large requests. */
const levels = [6, 12, 24, 48, 96, 192, 384, 768, 1_536, 3_072, 6_144];
const daysOfData = 5;
const daysOfCover = 10;

/** A product that came back or was written off as often as it was sold has an empty shelf. */
export function openingStock({ sold, net }: Pick<DemoProduct, 'sold' | 'net'>): number {
  if (net <= 0) return 0;
  const wanted = (sold * daysOfCover) / daysOfData;
  return levels.find((level) => level >= wanted) ?? levels.at(-1)!;
}
