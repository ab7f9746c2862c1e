/** Who may watch the live stream: staff who may read the monitor, for as long as their session lasts. */
import { isAlive } from '../staff/find-session.ts';
import { problemFrom } from './answer.ts';
import { authenticateStaff } from './authenticate.ts';
import { standingOf } from './caller.ts';
import type { Pipeline } from './pipeline.ts';
import { judgeStaff } from './policy.ts';
import type { StreamGate } from './stream-proxy.ts';

export function streamGate({ app, routes, flood }: Pick<Pipeline, 'app' | 'routes' | 'flood'>): StreamGate {
  return {
    admit: async (request, requestId) => {
      const { session } = await authenticateStaff({ app, flood }, request);
      judgeStaff(routes, 'GET', ['webhook_monitor'], session);
      const part = { requestId, ip: request.ip ?? '' };
      return { standing: standingOf(session).encoded, request: part, stillMay: () => isAlive(app, session) };
    },
    shownRefusal: (error, request) => {
      const problem = problemFrom(error);
      return (problem.kind === 'unauthenticated' && flood.count(request.ip ?? '')) || problem;
    },
  };
}
