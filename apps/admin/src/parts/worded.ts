import { fromApi, t } from '../language/t.ts';

/** A name of the API as people say it, in the panel's language: `partially_received` is partially received. */
export function spoken(name: string): string {
  return fromApi(name.replaceAll('_', ' '));
}

/** `spoken` where a text begins with it. */
export function worded(name: string): string {
  const text = spoken(name);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Of a customer; never an internal id, which says nothing to staff. */
export const nameless = t('Customer without a name');
