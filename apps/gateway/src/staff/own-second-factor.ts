import { type EntityManager, lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { invalid, missing, notFound } from '@store/problem';
import type { BeginSecondFactorResponse, ConfirmSecondFactorResponse } from '@store/protos/gateway/v1.ts';
import { change, recordChange } from '@store/service';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { changeSealed } from '../sealed.ts';
import { boundTo, factorUri, newFactorSecret, newRecoveryCodes, recoveryHash, stepOf } from './second-factor.ts';
import { StaffUser } from './staff-user.ts';
import { endSessions } from './update-staff-user.ts';

/** POST /staff_users/me/second_factor: a secret, which asks for codes only once a code has proved it. */
export const beginSecondFactor: Verb<'BeginSecondFactor'> = (app, _request, call) =>
  changeSealed<BeginSecondFactorResponse>(app, call, async (em) => {
    const user = await lockRecord(em, StaffUser, call.session!.userId);
    if (user.secondFactorAt) throw invalid(['Second factor is already on']);
    const secret = newFactorSecret();
    user.secondFactorSecret = app.config.keyRing.seal(Buffer.from(secret), boundTo(user.id));
    await em.flush();
    return { secret, uri: factorUri(secret, { issuer: call.session!.store.name, label: user.email }) };
  });

/** POST /staff_users/me/second_factor/confirm: turns it on with the first code. Other sessions began without it, and end. */
export const confirmSecondFactor: Verb<'ConfirmSecondFactor'> = async (app, request, call) => {
  const otp = request.otp?.replaceAll(' ', '');
  if (!otp) throw missing('otp');
  return changeSealed<ConfirmSecondFactorResponse>(app, call, async (em) => {
    const user = await lockRecord(em, StaffUser, call.session!.userId);
    if (user.secondFactorAt || !user.secondFactorSecret) throw invalid(['Second factor is not being set up']);
    const now = app.db.clock.now();
    const step = stepOf(app.config.keyRing.open(user.secondFactorSecret, boundTo(user.id)).toString(), otp, now);
    if (step === undefined) throw invalid(['Otp is not the current code']);
    const recovery_codes = newRecoveryCodes();
    Object.assign(user, { secondFactorAt: now, secondFactorStep: step, recoveryCodes: recovery_codes.map(recoveryHash) });
    await recordFactor(em, app, call, user, true);
    return { recovery_codes };
  });
};

export const removeOwnSecondFactor: Verb<'RemoveOwnSecondFactor'> = (app, _request, call) => remove(app, call, call.session!.userId);

/** DELETE /staff_users/:id/second_factor, Admin only: for somebody who lost the app and the recovery codes. */
export const removeSecondFactor: Verb<'RemoveSecondFactor'> = (app, request, call) => remove(app, call, parseId(request.id));

const remove = (app: Gateway, call: GatewayCall, id: number | undefined) =>
  change(app, call, async (em) => {
    const user = await lockRecord(em, StaffUser, id);
    if (!user.secondFactorAt) throw notFound('Second factor');
    Object.assign(user, { secondFactorSecret: null, secondFactorAt: null, secondFactorStep: 0, recoveryCodes: [] });
    await recordFactor(em, app, call, user, false);
    return { success: true, message: 'Second factor removed' };
  });

async function recordFactor(em: EntityManager, app: Gateway, call: GatewayCall, user: StaffUser, on: boolean): Promise<void> {
  user.updatedAt = app.db.clock.now();
  await em.flush();
  await endSessions(em, user, call.session?.sessionId);
  await recordChange(em, app, call, StaffUser, user.id, { before: { second_factor: !on }, after: { second_factor: on } });
}
