/** A client that reads the log of events all along, as docs/webhooks.md says. */
import { ask } from '../faults/fleet-world.ts';

export interface Poller {
  /** Reads to the end of the log; resolves to what it has got in this order, and the highest number it was shown as the latest. */
  stop(): Promise<{ store: number; eventIds: string[]; latest: number }>;
}

interface Page {
  events: { id: string }[];
  next_after: number;
  has_more: boolean;
  latest_sequence: number;
}

const everyMs = 200;

export function startPoller(api: string[], store: number, key: string): Poller {
  const eventIds: string[] = [];
  let [after, latest] = [0, 0];
  const look = async (): Promise<Page | undefined> => {
    const { status, body } = await ask(`${api[0]}/events?after=${after}&per_page=100`, { key });
    if (status !== 200) return undefined;
    const page = (body as { data: Page }).data;
    eventIds.push(...page.events.map(({ id }) => id));
    after = page.next_after;
    latest = Math.max(latest, page.latest_sequence);
    return page;
  };
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      for (let page = await look(); page?.has_more; ) page = await look();
      return { store, eventIds, latest };
    },
  };
}
