/** Requests of a load, which are sent again under their Idempotency-Key while their outcome is unknown. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../tools/local/random.ts';
import { type Answer, isSuccess, type Request, send } from '../kit/http.ts';

/** Longer than the gateway's own deadlines; after that the client gives up. */
export const answerWithinMs = 12_000;

export interface Repeated extends Request {
  /** Base URLs of the gateways, which take turns; the first one is picked at random. */
  api: string[];
  random: Random;
  method: string;
  path: string;
  /** Begins the X-Request-Id of each time. */
  id?: string;
  repeats: number;
  afterMs: number;
}

/** Until `isKnown` or so many repetitions; the last answer. */
export async function sendAgain(
  { api, random, method, path, id, repeats, afterMs, ...request }: Repeated,
  isKnown: (answer: Answer, time: number) => boolean = isSuccess,
): Promise<Answer> {
  const first = random.between(0, api.length - 1);
  for (let time = 0; ; time++) {
    const headers = { ...(id !== undefined && { 'X-Request-Id': `${id}-${time}` }) };
    const answer = await send(method, `${api[(first + time) % api.length]}${path}`, { ...request, headers, withinMs: answerWithinMs });
    if (isKnown(answer, time) || time >= repeats) return answer;
    await wait(afterMs);
  }
}
