/** The order of checks between the rate limit and the request itself (decision D1). */
import type { Endpoint, Role } from '@store/contract';
import { Problem, texts } from '@store/problem';
import type { KeyRecord } from '../keys/key-record.ts';
import type { SessionRecord } from '../staff/find-session.ts';
import type { StoreRecord } from '../stores/store-record.ts';
import type { Match, Routes } from './routes.ts';

const isRead = (verb: string): boolean => verb === 'GET' || verb === 'HEAD';

/** What a key may do; the endpoint it may call, or the first refusal. */
export function judgeKey(routes: Routes, verb: string, segments: string[], record: KeyRecord): Match {
  const { store } = record;
  checkBilling(store);
  if (!store.features.includes('developer_api')) throw notInPlan('developer_api');
  if (record.testMode && !isRead(verb)) throw new Problem('forbidden', texts.testMode);
  const refusal = isRead(verb) ? undefined : routes.refusal(segments);
  const match = routes.match(verb, segments);
  if (refusal) throw new Problem('forbidden', refusal === 'READ_ONLY' ? texts.readOnly : texts.loyaltyPoints);
  if (match && (match.endpoint.access.staffOnly || match.endpoint.access.public)) throw new Problem('forbidden', texts.internal);
  if (!match) throw new Problem('not_found', 'Not found');
  const { scope, feature } = match.endpoint.access;
  if (scope !== '' && !record.scopes.includes(scope)) throw new Problem('forbidden', `Insufficient scope. Required: ${scope}`);
  checkFeature(feature, store);
  return match;
}

/** 402 when the store has no active POS subscription or has not finished onboarding (Rules 6). */
function checkBilling(store: StoreRecord): void {
  if (store.posSubscription !== 'active') {
    throw new Problem('payment_required', texts.noSubscription, { code: 'pos_plan_required' });
  }
  if (store.onboarding !== 'done') throw new Problem('payment_required', texts.onboardingUnfinished, { code: 'onboarding_incomplete' });
}

const featureNames: Record<string, string> = { loyalty: 'Loyalty', customers: 'Customers', developer_api: 'Developer API' };

function notInPlan(feature: string): Problem {
  return new Problem('forbidden', `${featureNames[feature] ?? feature} ${texts.notInPlan}`, { code: 'feature_not_enabled' });
}

function checkFeature(feature: string, store: StoreRecord): void {
  if (feature !== '' && !store.features.includes(feature)) throw notInPlan(feature);
}

const rank: Record<Role, number> = { clerk: 1, manager: 2, admin: 3 };

/** What a member of staff may do (decision D177): reads for all, writes by role. */
export function judgeStaff(routes: Routes, verb: string, segments: string[], session: SessionRecord): Match {
  const match = routes.match(verb, segments);
  if (!match || match.endpoint.access.keyOnly) throw new Problem('not_found', 'Not found');
  if (!mayCall(match.endpoint, session.role)) throw new Problem('forbidden', texts.role);
  checkFeature(match.endpoint.access.feature, session.store);
  return match;
}

function mayCall(endpoint: Endpoint, role: Role): boolean {
  return rank[role] >= rank[endpoint.access.role];
}
