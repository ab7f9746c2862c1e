/** Stock before the first sale: twice what five days sold, rounded up to whole cases. */
import type { DemoProduct } from './products.ts';

/** Cases of six and their doublings: few distinct levels, so that stock is set in few large requests. */
const levels = [6, 12, 24, 48, 96, 192, 384, 768, 1_536, 3_072, 6_144];
const daysOfData = 5;
const daysOfCover = 10;

/** A product that was returned or written off as often as it was sold has no stock. */
export function openingStock({ sold, net }: Pick<DemoProduct, 'sold' | 'net'>): number {
  if (net <= 0) return 0;
  const wanted = (sold * daysOfCover) / daysOfData;
  return levels.find((level) => level >= wanted) ?? levels.at(-1)!;
}
