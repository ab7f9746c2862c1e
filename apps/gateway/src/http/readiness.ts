/** GET /readyz. It is public, so PostgreSQL is asked at most once a second: requests meanwhile get the last result. */
import type { Request, Response } from 'express';
import { sendJson } from './answer.ts';
import type { Pipeline } from './exchange.ts';

const lookEveryMs = 1_000;

/** `isClosing`: a stop has begun, and load balancers should send requests elsewhere. */
export function readiness({ app }: Pick<Pipeline, 'app'>, isClosing: () => boolean, nowMs = () => performance.now()) {
  let look: Promise<boolean> | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  async function takeLook(): Promise<boolean> {
    try {
      await app.db.ping();
      return true;
    } catch (error) {
      app.log.warn({ err: error }, 'Not ready');
      return false;
    } finally {
      // From the end of a check, so that a hung server is not asked again before it has answered.
      lookedAtMs = nowMs();
    }
  }
  return async (request: Request, response: Response): Promise<void> => {
    if (isClosing()) return sendJson(request, response, 503, '{"status":"closing"}');
    if (nowMs() - lookedAtMs >= lookEveryMs) {
      lookedAtMs = Number.POSITIVE_INFINITY;
      look = takeLook();
    }
    if (await look) sendJson(request, response, 200, '{"status":"ready"}');
    else sendJson(request, response, 503, '{"status":"not ready"}');
  };
}
