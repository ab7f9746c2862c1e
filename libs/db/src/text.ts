/** `2026-11-21 09:30:00.12+00` or a Date as `2026-11-21T09:30:00.120Z` (D35). */
export function isoTime(value: string | Date): string {
  if (value instanceof Date) return value.toISOString();
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00(?::?00)?$/.exec(value);
  if (!match) return new Date(value).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}

/** Escapes LIKE's wildcards, so that a search matches the text literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
