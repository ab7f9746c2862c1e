/** A name of the API as people read it: `partially_received` is Partially received. */
export function worded(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
