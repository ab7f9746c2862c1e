/** Polls how far consumer groups lag behind, over one connection: for tests that wait until everything is handled. */

import { type KafkaPlace, newKafka } from './client.ts';
import { retryRetriable } from './retry-retriable.ts';

export interface GroupWatch {
  /** Messages that were published so far, and how many of them the groups have not handled yet, in total. */
  published(): Promise<{ messages: number; behind: number }>;
  /** Groups below the prefix that are not watched. */
  unwatched(): Promise<string[]>;
  close(): Promise<void>;
}

/** `groups`: the topics of each. */
export async function watchGroups(options: KafkaPlace, groups: { group: string; topics: readonly string[] }[]): Promise<GroupWatch> {
  const { prefix = '' } = options;
  const admin = newKafka({ ...options, clientId: 'store-group-watch' }).admin();
  await admin.connect();
  const topics = [...new Set(groups.flatMap((one) => one.topics))];
  /** Messages of a partition, by topic and partition. */
  const written = async () => {
    const counts = new Map<string, number>();
    await allEnded(
      topics.map(async (topic) => {
        const offsets = await retryRetriable(() => admin.fetchTopicOffsets(prefix + topic));
        for (const { partition, high } of offsets) counts.set(`${topic} ${partition}`, Number(high));
      }),
    );
    return counts;
  };
  const handled = async (group: string, counts: Map<string, number>) => {
    const mine = groups.find((one) => one.group === group)!.topics;
    const where = { groupId: prefix + group, topics: mine.map((topic) => prefix + topic) };
    const standing = await retryRetriable(() => admin.fetchOffsets(where));
    const at = new Map(
      standing.flatMap(({ topic, partitions }) => partitions.map((one) => [`${topic} ${one.partition}`, Number(one.offset)])),
    );
    let behind = 0;
    for (const topic of mine) {
      for (const [place, count] of counts) {
        if (place.startsWith(`${topic} `)) behind += behindIn(count, at.get(prefix + place) ?? 0);
      }
    }
    return behind;
  };
  return {
    published: async () => {
      const counts = await written();
      const each = await allEnded(groups.map(({ group }) => handled(group, counts)));
      return { messages: total(counts.values()), behind: total(each) };
    },
    unwatched: async () => {
      const watched = new Set(groups.map(({ group }) => prefix + group));
      const all = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
      return all.filter((groupId) => groupId.startsWith(prefix) && !watched.has(groupId));
    },
    close: () => admin.disconnect(),
  };
}

/**
 * What a group has not handled of a partition with `written` messages. `committed` is -1 where it has handled nothing, and above
 * `written` where it has handled messages that came after the count: those make up for nothing in another partition.
 */
export function behindIn(written: number, committed: number): number {
  return Math.max(0, written - Math.max(0, committed));
}

/** All results, or the first failure once nothing is asked any more: what still asks would open a connection that was closed. */
async function allEnded<T>(asked: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

function total(counts: Iterable<number>): number {
  return [...counts].reduce((sum, one) => sum + one, 0);
}
