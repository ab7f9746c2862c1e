/** From commit to Kafka: exactly one event id per change, none invented or lost, one body each, in the record's order. */
import type { Carried, Change, Emitted, History, Violation } from './history.ts';

const keyOf = ({ topic, xid, resource }: Change | Emitted): string => `${topic} ${xid} ${resource}`;

export function checkEvents(history: History): Violation[] {
  return [...checkEmitted(history), ...checkCarried(history), ...checkOrder(history)];
}

function checkEmitted({ changes, emitted }: History): Violation[] {
  const violations: Violation[] = [];
  const eventsOfChange = Map.groupBy(
    emitted.filter(({ resource }) => resource !== null),
    keyOf,
  );
  for (const change of changes) {
    const ids = new Set(eventsOfChange.get(keyOf(change))?.map(({ eventId }) => eventId));
    const detail = `change ${change.n} of ${change.topic} ${change.record} (${change.marks.join(', ') || 'stock'}) has ${ids.size} events`;
    if (ids.size === 0) violations.push({ rule: 'event-missing', detail });
    if (ids.size > 1) violations.push({ rule: 'event-doubled', detail: `${detail}: ${[...ids].join(', ')}` });
  }
  const known = new Set(changes.map(keyOf));
  for (const [key, events] of eventsOfChange)
    if (!known.has(key)) violations.push({ rule: 'event-phantom', detail: `${events[0]!.eventId} tells of ${key}, which did not change` });
  return violations;
}

function checkCarried({ emitted, carried }: History): Violation[] {
  const violations: Violation[] = [];
  const committed = new Map(emitted.map((event) => [event.eventId, event]));
  const copies = Map.groupBy(carried, ({ eventId }) => eventId);
  for (const { eventId, topic, record } of emitted)
    if (!copies.has(eventId)) violations.push({ rule: 'event-lost', detail: `${eventId} of ${topic} ${record} is not in Kafka` });
  for (const [eventId, messages] of copies) {
    const event = committed.get(eventId);
    if (!event) violations.push({ rule: 'event-phantom', detail: `${eventId} is in Kafka and was never committed` });
    const hashes = new Set([...messages.map(({ hash }) => hash), ...(event ? [event.hash] : [])]);
    if (hashes.size > 1) violations.push({ rule: 'event-bytes', detail: `${eventId} has ${hashes.size} bodies` });
  }
  return violations;
}

/** The position at which each event appears first. */
export function firstPlaces(carried: Carried[]): Map<string, Carried> {
  const first = new Map<string, Carried>();
  for (const one of carried) {
    const before = first.get(one.eventId);
    if (!before || one.offset < before.offset) first.set(one.eventId, one);
  }
  return first;
}

function checkOrder({ changes, emitted, carried }: History): Violation[] {
  const numbers = new Map(changes.map((change) => [keyOf(change), change.n]));
  const changeOf = new Map(emitted.map((event) => [event.eventId, numbers.get(keyOf(event))]));
  const violations: Violation[] = [];
  for (const [record, messages] of Map.groupBy(firstPlaces(carried).values(), (one) => `${one.topic} ${one.record}`)) {
    const partitions = new Set(messages.map(({ partition }) => partition));
    if (partitions.size > 1) violations.push({ rule: 'record-order', detail: `${record} is in ${partitions.size} partitions` });
    let last = 0;
    for (const { eventId } of messages.sort((a, b) => a.offset - b.offset)) {
      const n = changeOf.get(eventId);
      if (n === undefined) continue;
      if (n < last)
        violations.push({ rule: 'record-order', detail: `${record}: ${eventId} of change ${n} comes after that of change ${last}` });
      last = Math.max(last, n);
    }
  }
  return violations;
}
