/** What the clerk is told in words until he has seen it. */

import { t } from '../language/t.ts';
import type { Till } from './till.ts';

export const withUnsold = (till: Till, said: string[]): Till => ({ ...till, unsold: [...till.unsold, ...said] });

/** The card of another was scanned. Rewards and credit are those of one customer, so that nobody is taken off without a word. */
export function ofAnother(till: Till, name: string, other: string): Till {
  const said = t('This sale is of {name}: take them off before the card of {other} is scanned', { name, other });
  return withUnsold(till, [said]);
}
