import type { Schemas } from '../api/gen/api.js';

type Category = Schemas['Category'];

/** The tree as a list, each category before its subcategories. */
export function flat(categories: Category[]): Category[] {
  return categories.flatMap((category) => [category, ...flat(category.subcategories)]);
}
