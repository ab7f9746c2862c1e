/** Cash drawers that are opened and closed all along, while tills sell into them and void out of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '../../tools/local/random.ts';
import { isSuccess, send } from '../kit/http.ts';
import { startClients } from '../kit/load.ts';
import { answerWithinMs } from './repeat.ts';

const openMs = 2_500;
const path = '/cash_drawer_sessions';

export function startDrawers({ api, tokens, seed }: { api: string[]; tokens: string[]; seed: number }): { stop(): Promise<void> } {
  const randoms = tokens.map((_, store) => seededRandom(seed * 10 + store));
  return startClients(tokens.length, 0, async (store) => {
    const random = randoms[store]!;
    const ask = async (method: string, to: string, body?: object) => {
      const answer = await send(method, `${random.pick(api)}${to}`, { token: tokens[store], body, withinMs: answerWithinMs });
      return isSuccess(answer) ? answer.body : undefined;
    };
    // Whether one is open is known to the server alone, after an answer that was lost.
    const opened = (await ask('POST', path, { opening_float: '100.00' }))?.cash_drawer_session;
    const { id } = opened ?? (await ask('GET', `${path}?status=open`))?.cash_drawer_sessions[0] ?? {};
    await wait(openMs * (0.5 + random.next()));
    if (id !== undefined) await ask('POST', `${path}/${id}/close`, { counted: '100.00' });
  });
}
