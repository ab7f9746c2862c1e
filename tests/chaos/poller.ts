/** A client that reads the log of events all along, as docs/webhooks.md says. */
import { send } from '../kit/http.ts';
import { startClients } from '../kit/load.ts';

export interface Poller {
  /** Reads to the end of the log; resolves to what it has got in this order, and the highest number it was shown as the latest. */
  stop(): Promise<{ store: number; eventIds: string[]; latest: number }>;
}

const everyMs = 200;

export function startPoller(api: string[], store: number, key: string): Poller {
  const eventIds: string[] = [];
  let [after, latest] = [0, 0];
  /** Whether there is more. */
  const look = async (): Promise<boolean> => {
    const { status, body } = await send('GET', `${api[0]}/events?after=${after}&per_page=100`, { key });
    if (status !== 200) return false;
    eventIds.push(...body.data.events.map(({ id }: { id: string }) => id));
    after = body.data.next_after;
    latest = Math.max(latest, body.data.latest_sequence);
    return body.data.has_more;
  };
  const polling = startClients(1, everyMs, look);
  return {
    stop: async () => {
      await polling.stop();
      while (await look());
      return { store, eventIds, latest };
    },
  };
}
