import { problemFrom } from '@store/problem';
import { Asker, askedBy } from '@store/shares/asker';
import { isAlive } from '../staff/find-session.ts';
import { authenticateWatcher } from './authenticate-staff.ts';
import { openExchange, type Pipeline, type Step, take } from './exchange.ts';
import { checkPlanFeatures, checkRole, checkSecondFactor, checkStaffRoute } from './policy.ts';
import { preparedCaller } from './prepared-caller.ts';
import type { StreamAccess } from './stream-proxy.ts';

const streamRequest: Step[] = [authenticateWatcher, checkStaffRoute, checkSecondFactor, checkRole, checkPlanFeatures];

export function streamAccess(parts: Pipeline): StreamAccess {
  const { app, routes, flood } = parts;
  return {
    admit: async (request, response) => {
      const exchange = openExchange(routes, request, response, '/webhook_monitor');
      await take(streamRequest, exchange, parts);
      const session = exchange.session!;
      const { requestId, ip } = exchange;
      const stillMay = () => askedBy(new Asker(session.storeId), () => isAlive(app, session));
      return { fixedPart: preparedCaller(session).encoded, request: { requestId, ip }, stillMay };
    },
    shownRefusal: (error, { ip = '' }) => {
      const problem = problemFrom(error);
      return (problem.kind === 'unauthenticated' && flood.count(ip)) || problem;
    },
  };
}
