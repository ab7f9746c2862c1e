/** Why the till does not do something now. */

import { t } from '../language/t.ts';
import { faultOf, isUnused } from './cart.ts';
import type { Sending, Till, TillEvent, Work } from './till.ts';

/** Whether the cart cannot change. A discard is of another sale. */
export const isLocked = ({ work }: Till): boolean => work !== undefined && subjectOf(work) !== 'discard';

export const subjectOf = (work: Work): Sending['kind'] | 'take' => (work.kind === 'send' ? work.sending.kind : work.kind);

const waits: Record<ReturnType<typeof subjectOf>, string> = {
  pay: t('Wait until the sale is stored'),
  park: t('Wait until the sale is stored'),
  take: t('Wait until the parked sale is here'),
  discard: t('Wait until the sale is discarded'),
  redeem: t('Wait until the reward is given'),
};

/** Why the till does not do this now, in the clerk's words, empty where there is nothing to do; undefined: it does. */
export function refusalOf(till: Till, event: TillEvent): string | undefined {
  const { work, cart, scans, choices } = till;
  const isEmpty = cart.lines.length === 0 && scans.length === 0;
  switch (event.kind) {
    case 'change':
    case 'choose':
    case 'restore':
      return isLocked(till) ? waits[subjectOf(work!)] : undefined;
    case 'clear':
      if (isUnused(cart) && scans.length === 0 && choices.length === 0) return '';
      return isLocked(till) || (work && cart.parked) ? waits[subjectOf(work!)] : undefined;
    case 'discard':
      return work && waits[subjectOf(work)];
    case 'pay':
    case 'park':
    case 'redeem':
    case 'resume': {
      if (work) return subjectOf(work) === event.kind ? '' : waits[subjectOf(work)];
      if (event.kind === 'resume' ? event.saleId === cart.parked?.id : isEmpty && event.kind !== 'redeem') return '';
      if (choices[0]) return t('Say first which product has the code {code}', { code: choices[0].code });
      return isEmpty ? undefined : faultOf(cart);
    }
    default:
      return undefined;
  }
}
