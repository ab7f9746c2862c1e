/** How far consumer groups lag behind the messages of their topics. */
import type { Admin } from 'kafkajs';
import { type KafkaPlace, newKafka, type OpenAdmin, withAdmin } from './client.ts';
import { retryRetriable } from './waits.ts';

/** By topic and partition. */
type Offsets = Map<string, number>;

export interface GroupOptions extends KafkaPlace {
  group: string;
  topics: string[];
}

export interface Standing {
  /** Messages that the topics hold or held. */
  written: number;
  /** Messages that the group has not handled yet. */
  behind: number;
}

async function endsOf(admin: Admin, topics: readonly string[]): Promise<Offsets> {
  const ends = topics.map(async (topic) =>
    (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [`${topic} ${partition}`, Number(high)] as const),
  );
  return new Map((await allEnded(ends)).flat());
}

async function committedBy(admin: Admin, groupId: string, topics: string[]): Promise<Offsets> {
  const offsets = await admin.fetchOffsets({ groupId, topics });
  return new Map(
    offsets.flatMap(({ topic, partitions }) => partitions.map((one) => [`${topic} ${one.partition}`, Number(one.offset)] as const)),
  );
}

/**
 * What a group has not handled. An offset is -1 where it has handled nothing, and beyond the end where it has handled messages that
 * came after the count: those make up for nothing in another partition.
 */
export function behindOf(ends: Offsets, committed: Offsets): number {
  return total([...ends].map(([place, end]) => Math.max(0, end - Math.max(0, committed.get(place) ?? 0))));
}

/** The position of a group in its topics. */
export const standingOf = (options: GroupOptions): Promise<Standing> => standingBy(undefined, options);

/** A leader that moves meanwhile is found by a new client: kafkajs keeps the one that it knew for minutes. */
export function standingBy(open: OpenAdmin | undefined, { group, topics, ...place }: GroupOptions): Promise<Standing> {
  const { prefix = '' } = place;
  const names = topics.map((topic) => prefix + topic);
  const read = async (admin: Admin) => {
    const committed = await committedBy(admin, prefix + group, names);
    const ends = await endsOf(admin, names);
    return { written: total(ends.values()), behind: behindOf(ends, committed) };
  };
  return retryRetriable(() => withAdmin(place, read, open));
}

/** How far the slowest of these groups is behind in one topic. */
export async function slowest(admin: Admin, prefix: string, topic: string, groups: string[]): Promise<number> {
  const committed = await Promise.all(groups.map((group) => committedBy(admin, prefix + group, [prefix + topic])));
  // Asked after the groups: a message that comes in between is not handled yet.
  const ends = await endsOf(admin, [prefix + topic]);
  return Math.max(0, ...committed.map((one) => behindOf(ends, one)));
}

interface GroupWatch {
  /** Messages that were published so far, and how many of them the groups have not handled yet: in total, and each that is behind. */
  published(): Promise<{ messages: number; behind: number; groups: Record<string, number> }>;
  /** Groups below the prefix that are not watched. */
  unwatched(): Promise<string[]>;
  close(): Promise<void>;
}

/** Polls over one connection how far groups lag behind. `groups`: the topics of each. */
export async function watchGroups(place: KafkaPlace, groups: { group: string; topics: readonly string[] }[]): Promise<GroupWatch> {
  const { prefix = '' } = place;
  const admin = newKafka({ ...place, clientId: 'store-group-watch' }).admin();
  await admin.connect();
  const watched = groups.map(({ group, topics }) => ({ group, topics: topics.map((topic) => prefix + topic) }));
  const all = [...new Set(watched.flatMap(({ topics }) => topics))];
  return {
    published: async () => {
      const ends = await retryRetriable(() => endsOf(admin, all));
      const behind = watched.map(async ({ group, topics }) => {
        const own = new Map([...ends].filter(([place]) => topics.includes(place.split(' ')[0]!)));
        return [group, behindOf(own, await retryRetriable(() => committedBy(admin, prefix + group, topics)))] as const;
      });
      const lagging = (await allEnded(behind)).filter(([, messages]) => messages > 0);
      return { messages: total(ends.values()), behind: total(lagging.map(([, one]) => one)), groups: Object.fromEntries(lagging) };
    },
    unwatched: async () => {
      const known = new Set(watched.map(({ group }) => prefix + group));
      const present = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
      return present.filter((groupId) => groupId.startsWith(prefix) && !known.has(groupId));
    },
    close: () => admin.disconnect(),
  };
}

/** All results, or the first failure once nothing is asked any more: what still asks would open a connection that was closed. */
async function allEnded<T>(asked: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

function total(counts: Iterable<number>): number {
  return [...counts].reduce((sum, one) => sum + one, 0);
}
