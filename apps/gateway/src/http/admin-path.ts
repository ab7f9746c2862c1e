/** Which requests are the admin panel's. The path that is checked is the path that is forwarded: two parsers cannot disagree. */

/** A target in absolute form names a host; the host is ignored. */
const origin = /^https?:\/\/[^/?#]*/i;

/** The path and query to forward to the panel; undefined when the request is not for it, or its path is ambiguous. */
export function adminTarget(requested: string): string | undefined {
  const target = requested.replace(origin, '');
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  if (path !== '/admin' && !path.startsWith('/admin/')) return undefined;
  // Dot segments (encoded ones too), backslashes and other sequences that a parser would rewrite.
  if (new URL(`http://panel${path}`).pathname !== path) return undefined;
  return target;
}
