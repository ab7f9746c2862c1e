/** The event log, read as one stream that does not end. */
import { isStoreError, StoreConnectionError } from './errors.js';
import { send, waitMs } from './send.js';

const perPage = 100;
/** Beyond any event: the answer says where the log ends. */
const beyond = Number.MAX_SAFE_INTEGER;

export async function latestSequence(client, options = {}) {
  const { data } = await send(client, 'listEvents', { query: { after: beyond, per_page: 1 }, signal: options.signal });
  return data.latest_sequence;
}

/** Yields the events after a number in their order, and waits for more; goes on after failures of the network and the API. */
export async function* follow(client, after, { types, pollMs = 5_000, signal } = {}) {
  let next = after;
  for (let failures = 0; ; ) {
    let page;
    try {
      next ??= await latestSequence(client, { signal });
      page = (await send(client, 'listEvents', { query: { after: next, per_page: perPage, types: types?.join() }, signal })).data;
      failures = 0;
    } catch (error) {
      if (!isPassing(error)) throw error;
      failures += 1;
      await client.wait(waitMs(error, failures), signal);
      continue;
    }
    yield* page.events;
    next = page.next_after;
    if (!page.has_more) await client.wait(pollMs, signal);
  }
}

const isPassing = (error) =>
  error instanceof StoreConnectionError || (isStoreError(error) && (error.status === 429 || error.status >= 500));
