/** The text that search reads: lower-cased, one per product, under one trigram index (D192). */

/** Separates the parts, so that no search matches across two of them. */
export const searchSeparator = '\u001f';

/** Lower-cased here and not in SQL: PostgreSQL's lower() knows only ASCII under the C locale. */
export function searchText(parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part)
    .join(searchSeparator)
    .toLowerCase();
}
