/** A number as people type it, without what stands between its thousands: spaces or apostrophes; \s has the narrow ones of French too. */
export function ungrouped(typed: string): string {
  return typed
    .trim()
    .replace(/^[-−]\s*/, '-')
    .replace(/^-?\d{1,3}(?:[\s'’]\d{3})+(?!\d)/, (grouped) => grouped.replace(/[\s'’]/g, ''));
}
