/** What requests leave in memory is written from time to time; what is left at the end, before the database closes. */
import type { Lifecycle } from '@store/service';
import type { Gateway } from './gateway.ts';
import { flushEveryMs } from './keys/key-usage.ts';
import { forgetOldRequests, forgetRequestsEveryMs, requestFlushEveryMs } from './requests/request-log.ts';

export function writeInBackground({ db, usage, requests }: Gateway, { life }: { life: Lifecycle }): void {
  life.onStop('key usage', () => usage.flush());
  life.every('key usage', flushEveryMs, () => usage.flush());
  life.onStop('requests', () => requests.flush());
  life.every('requests', requestFlushEveryMs, () => requests.flush());
  life.every('old requests', forgetRequestsEveryMs, () => forgetOldRequests(db));
}
