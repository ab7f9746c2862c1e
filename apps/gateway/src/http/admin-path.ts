/**
 * Which requests are the admin panel's. A path is parsed once, here; what is parsed is what is decided
 * on and what is sent on, so that no two readers of it disagree.
 */

/** A target in absolute form names a host, which decides nothing. */
const origin = /^https?:\/\/[^/?#]*/i;

/** The path and query to ask the panel for; undefined when the request is not for it, or may be read in two ways. */
export function adminTarget(requested: string): string | undefined {
  const target = requested.replace(origin, '');
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  if (path !== '/admin' && !path.startsWith('/admin/')) return undefined;
  // Dot segments, also encoded, backslashes and what else a parser would rewrite.
  if (new URL(`http://panel${path}`).pathname !== path) return undefined;
  return target;
}
