/** Writes data collected in memory periodically; the rest is written at the stop, before the database closes. */
import type { Lifecycle } from '@store/service';
import type { Gateway } from './gateway.ts';
import { flushEveryMs } from './keys/key-usage.ts';
import { forgetOldRequests, forgetRequestsEveryMs, requestFlushEveryMs } from './requests/request-log.ts';

export function writeInBackground({ db, usage, requests, refusals }: Gateway, { life }: { life: Lifecycle }): void {
  life.onStop('key usage', () => usage.flush());
  life.every('key usage', flushEveryMs, () => usage.flush());
  life.onStop('requests', () => requests.flush());
  life.every('requests', requestFlushEveryMs, () => requests.flush());
  life.onStop('refused requests', () => refusals.end());
  life.every('refused requests', requestFlushEveryMs, async () => refusals.flush());
  life.every('old requests', forgetRequestsEveryMs, () => forgetOldRequests(db));
}
