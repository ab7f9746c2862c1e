/** Cash drawers that are opened and closed all along, while tills sell into them and void out of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import { seededRandom } from './random.ts';

const answerWithinMs = 12_000;
const openMs = 2_500;

export function startDrawers({ api, tokens, seed }: { api: string[]; tokens: string[]; seed: number }): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = tokens.map(async (token, store) => {
    const random = seededRandom(seed * 10 + store);
    const post = async (path: string, body: object): Promise<Opened | undefined> => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
      const answered = await ask(`${random.pick(api)}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        withinMs: answerWithinMs,
      });
      return answered.status >= 200 && answered.status < 300 ? (JSON.parse(answered.text) as Opened) : undefined;
    };
    // Whether one is open is known to the server alone, after an answer that was lost.
    const openOne = async (): Promise<number | undefined> => {
      const headers = { Authorization: `Bearer ${token}` };
      const { status, text } = await ask(`${random.pick(api)}/cash_drawer_sessions?status=open`, { headers, withinMs: answerWithinMs });
      return status === 200 ? (JSON.parse(text) as { cash_drawer_sessions: { id: number }[] }).cash_drawer_sessions[0]?.id : undefined;
    };
    while (!stopping.signal.aborted) {
      const id = (await post('/cash_drawer_sessions', { opening_float: '100.00' }))?.cash_drawer_session.id ?? (await openOne());
      await wait(openMs * (0.5 + random.next()));
      if (id !== undefined) await post(`/cash_drawer_sessions/${id}/close`, { counted: '100.00' });
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Opened {
  cash_drawer_session: { id: number };
}
