/** From Kafka to the receivers: at least once, unaltered, signed, in the record's order, and every POST logged. */
import { firstPlaces } from './check-events.ts';
import type { Attempt, Carried, History, ReceiverHistory, Violation } from './history.ts';

/** Spec, Delivery 3: up to 5 attempts in total. */
const attemptsMax = 5;

export function checkDeliveries({ receivers, carried }: History): Violation[] {
  const places = firstPlaces(carried);
  return receivers.flatMap((receiver) => {
    const violations = [
      ...unaltered(receiver, places),
      ...complete(receiver, places),
      ...ordered(receiver, places),
      ...explained(receiver),
    ];
    return violations.map(({ rule, detail }) => ({ rule, detail: `${receiver.name}: ${detail}` }));
  });
}

function unaltered({ arrivals }: ReceiverHistory, places: Map<string, Carried>): Violation[] {
  return arrivals.flatMap(({ eventId, attempt, hash, verified }) => {
    const event = places.get(eventId);
    const found: Violation[] = [];
    if (!event) found.push({ rule: 'delivery-phantom', detail: `${eventId} is no event` });
    if (event && event.hash !== hash) found.push({ rule: 'delivery-bytes', detail: `attempt ${attempt} of ${eventId} had another body` });
    if (!verified) found.push({ rule: 'signature', detail: `attempt ${attempt} of ${eventId} does not verify` });
    return found;
  });
}

function complete({ store, accepts, active, events, arrivals }: ReceiverHistory, places: Map<string, Carried>): Violation[] {
  if (accepts === 'never') return active ? [{ rule: 'not-disabled', detail: 'accepts nothing and is still active' }] : [];
  const got = new Set(arrivals.map(({ eventId }) => eventId));
  const missing = [...places.values()]
    .filter((event) => event.store === store)
    .filter(({ name, hash, eventId }) => hash !== null && events.includes(name) && !got.has(eventId))
    .map(({ eventId, topic, record }) => ({ rule: 'delivery-missing', detail: `${eventId} of ${topic} ${record} never came` }));
  return active ? missing : [...missing, { rule: 'disabled', detail: 'accepted every event and was disabled' }];
}

/**
 * First attempts start in the record's order (D141), so first arrivals are in it too. An attempt that failed on the
 * way, as that of a process which stood still for too long, holds nothing up: its event may come after later ones.
 */
function ordered({ accepts, arrivals, attempts }: ReceiverHistory, places: Map<string, Carried>): Violation[] {
  const firsts = attempts.filter(({ number }) => number === 1);
  const failed = new Set(firsts.filter(({ outcome }) => outcome !== 'response' && outcome !== 'lost').map(({ eventId }) => eventId));
  const came = accepts === 'always' ? arrivals.filter(({ eventId }) => !failed.has(eventId)) : [];
  return [...inOrder('attempt-order', firsts, places), ...inOrder('delivery-order', came, places)];
}

function inOrder(rule: string, list: { eventId: string }[], places: Map<string, Carried>): Violation[] {
  const violations: Violation[] = [];
  const last = new Map<string, Carried>();
  const seen = new Set<string>();
  for (const { eventId } of list) {
    const event = places.get(eventId);
    if (!event || seen.has(eventId)) continue;
    seen.add(eventId);
    const record = `${event.topic} ${event.record}`;
    const before = last.get(record);
    if (before && event.offset < before.offset) violations.push({ rule, detail: `${record}: ${eventId} came after ${before.eventId}` });
    else last.set(record, event);
  }
  return violations;
}

/** The log has a line before each POST: no more POSTs than lines, and no answered line without a POST (P13). */
function explained({ arrivals, attempts }: ReceiverHistory): Violation[] {
  const violations: Violation[] = [];
  const posts = Map.groupBy(arrivals, ({ eventId, attempt }) => `${eventId} ${attempt}`);
  const lines = Map.groupBy(attempts, ({ eventId, number }) => `${eventId} ${number}`);
  for (const key of new Set([...posts.keys(), ...lines.keys()])) {
    const sent = posts.get(key)?.length ?? 0;
    const logged: Attempt[] = lines.get(key) ?? [];
    const answered = logged.filter(({ outcome }) => outcome === 'response').length;
    const detail = `attempt ${key}: ${sent} POSTs, ${logged.length} lines, ${answered} of them answered`;
    if (sent > logged.length) violations.push({ rule: 'post-unlogged', detail });
    if (answered > sent) violations.push({ rule: 'post-invented', detail });
    if (logged.some(({ outcome }) => outcome === null)) violations.push({ rule: 'attempt-open', detail });
    if (Number(key.split(' ')[1]) > attemptsMax) violations.push({ rule: 'attempts-over', detail });
  }
  return violations;
}
