/** A name of the API as people read it: `partially_received` is Partially received. */
export function worded(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

/** Of a customer; never an internal id, which says nothing to staff. */
export const nameless = 'Customer without a name';
