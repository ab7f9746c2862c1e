/** Checks what a caller may do; each throws its refusal. Their order is that of the lists in pipeline.ts (D1). */
import { rankOfRole } from '@store/contract';
import { notInPlan, Problem, texts } from '@store/problem';
import type { StoreRecord } from '../stores/store-record.ts';
import type { Exchange, Pipeline } from './exchange.ts';

const isRead = (httpMethod: string): boolean => httpMethod === 'GET' || httpMethod === 'HEAD';

/** 402 when the store has no active POS subscription or has not finished onboarding (Rules 6). */
export function checkBilling({ key }: Exchange): void {
  const { posSubscription, onboarding } = key!.record.store;
  if (posSubscription !== 'active') throw new Problem('payment_required', texts.noSubscription, { code: 'pos_plan_required' });
  if (onboarding !== 'done') throw new Problem('payment_required', texts.onboardingUnfinished, { code: 'onboarding_incomplete' });
}

export function checkDeveloperApi({ key }: Exchange): void {
  checkFeature('developer_api', key!.record.store);
}

export function checkTestMode({ request, key }: Exchange): void {
  if (key!.record.testMode && !isRead(request.method)) throw new Problem('forbidden', texts.testMode);
}

/** Resources that no key may write, whether the route exists or not (D176). */
export function checkReadOnlyResource({ request, segments }: Exchange, { routes }: Pipeline): void {
  const refusal = isRead(request.method) ? undefined : routes.refusal(segments);
  if (refusal) throw new Problem('forbidden', refusal === 'READ_ONLY' ? texts.readOnly : texts.loyaltyPoints);
}

/** Staff and login endpoints are refused to keys. */
export function checkInternal({ match }: Exchange): void {
  if (match?.endpoint.access.staffOnly || match?.endpoint.access.public) throw new Problem('forbidden', texts.internal);
}

export function checkKeyRoute({ match }: Exchange): void {
  if (!match) throw notFound();
}

export function checkStaffRoute({ match }: Exchange): void {
  if (!match || match.endpoint.access.keyOnly) throw notFound();
}

const notFound = () => new Problem('not_found', 'Not found');

export function checkScope({ key, match }: Exchange): void {
  const { scope } = match!.endpoint.access;
  if (scope !== '' && !key!.record.scopes.includes(scope)) throw new Problem('forbidden', `Insufficient scope. Required: ${scope}`);
}

/** Staff: each endpoint names the lowest role that may call it (D177). */
export function checkRole({ session, match }: Exchange): void {
  const { role } = match!.endpoint.access;
  if (role === '' || rankOfRole[session!.role] < rankOfRole[role]) throw new Problem('forbidden', texts.role);
}

/** Where the store demands a second factor that the user has not, only what sets it up is answered (D262). */
export function checkSecondFactor({ session, match }: Exchange): void {
  if (session!.lacksSecondFactor && !match!.endpoint.access.withoutSecondFactor) throw new Problem('forbidden', texts.secondFactor);
}

/** The plan features that the endpoint needs, for keys and for staff (D249). */
export function checkPlanFeatures({ key, session, match }: Exchange): void {
  for (const feature of match!.endpoint.access.features) checkFeature(feature, (key?.record ?? session!).store);
}

const featureNames: Record<string, string> = { loyalty: 'Loyalty', customers: 'Customers', developer_api: 'Developer API' };

function checkFeature(feature: string, store: StoreRecord): void {
  if (!store.features.includes(feature)) throw notInPlan(featureNames[feature] ?? feature);
}

/** Every check has passed: the scope counts as used. */
export function noteScopeUsed(exchange: Exchange): void {
  exchange.scopeUsed = exchange.match!.endpoint.access.scope;
}
