import { acceptBody, filled, integerField, parseId, refuseErrors, textField } from '@store/input';
import { change } from '@store/service';
import { lockCustomer } from '../customers/save-customer.ts';
import type { Verb } from '../customers.ts';
import { changePoints } from './change-points.ts';

/** Points of one movement at most. */
export const movedPointsMax = 1_000_000_000;

const fields = { points: filled(integerField(1, movedPointsMax)), reason: textField() };

/** POST /customers/:id/loyalty/earn (staff). */
export const earnPoints: Verb<'EarnPoints'> = async (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['points'], request);
  return change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    refuseErrors(errors);
    const movement = { movement_type: 'earn', points: values.points!, reason: values.reason ?? null } as const;
    return changePoints(em, { app, caller: call.caller }, customer, movement);
  });
};
