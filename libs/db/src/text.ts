/** `2026-11-21 09:30:00.12+00` or a Date as `2026-11-21T09:30:00.120Z` (D35). */
export function isoTime(value: string | Date): string {
  if (value instanceof Date) return value.toISOString();
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00(?::?00)?$/.exec(value);
  if (!match) return new Date(value).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}

/** Separates the parts of a search text, so that no search matches across two of them. */
export const searchSeparator = '\u001f';

/**
 * The text of a record that search reads, under one trigram index (D192). Lower-cased here and not in SQL: PostgreSQL's lower() knows only
 * ASCII under the C locale.
 */
export const searchText = (parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(searchSeparator).toLowerCase();

/** No search text has it; PostgreSQL has no text with NUL. */
export const isInNoText = (search: string): boolean => search.includes('\0') || search.includes(searchSeparator);

/** Three letters or digits in a row. Without a trigram the index would be read whole, which takes longer than the store's own rows. */
export const hasTrigram = (lowered: string): boolean => /[a-z0-9]{3}/.test(lowered);

/** The condition that the column's search texts contain what is sought. */
export function textCondition(column: string, search: string, bind: (value: unknown) => string): string {
  if (isInNoText(search)) return 'false';
  const text = search.toLowerCase();
  return hasTrigram(text) ? `${column} like ${bind(`%${likeLiteral(text)}%`)}` : `strpos(${column}, ${bind(text)}) > 0`;
}

/** Escapes LIKE's wildcards, so that a search matches the text literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
