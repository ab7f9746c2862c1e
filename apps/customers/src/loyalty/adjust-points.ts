import { acceptBody, filled, integerField, parseId, refuseErrors, requiredText } from '@store/input';
import { change } from '@store/service';
import { lockCustomer } from '../customers/save-customer.ts';
import type { Verb } from '../customers.ts';
import { changePoints } from './change-points.ts';
import { movedPointsMax } from './earn-points.ts';

const fields = {
  points: filled(integerField(-movedPointsMax, movedPointsMax)).refine((points) => points !== 0, { message: 'must not be zero' }),
  reason: requiredText(),
};

/** POST /customers/:id/loyalty/adjust (staff): up or down, not below 0 (D229). */
export const adjustPoints: Verb<'AdjustPoints'> = async (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['points', 'reason'], request);
  return change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    refuseErrors(errors);
    const movement = { movement_type: 'adjust', points: values.points!, reason: values.reason! } as const;
    return changePoints(em, { app, caller: call.caller }, customer, movement);
  });
};
